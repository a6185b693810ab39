import ignore from 'ignore'

const patternsMax = 1000
const patternCharsMax = 500
/** Each wildcard multiplies matching time. */
const wildcardsMax = 8

/** Drops patterns that are too slow to match against every file of a site. */
export function keepCheapPatterns(patterns: readonly string[]): string[] {
  return patterns.slice(0, patternsMax).filter((pattern) => {
    return pattern.length <= patternCharsMax && (pattern.match(/\*+/g) ?? []).length <= wildcardsMax
  })
}

/**
 * Whether a path matches one of the patterns, interpreted as `.gitignore` lines, which is close enough to the globs of
 * configuration files.
 */
export function matchGlobs(patterns: readonly string[]): (path: string) => boolean {
  const matcher = ignore({ ignorecase: false }).add(keepCheapPatterns(patterns))
  return (path) => matcher.ignores(path)
}
