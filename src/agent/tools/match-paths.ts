import { AppError } from '../../contract/app-error.ts'
import { matchGlobs } from '../../content/trees/match-globs.ts'

const alternativesMax = 100

/**
 * Matches paths as `rg --glob` does: `*` within a folder, `**` over folders, `{a,b}`; without a slash at any depth.
 * Several patterns are separated by commas outside of braces; one that begins with `!` takes paths out.
 *
 * @throws {AppError} for a pattern that is too complex.
 */
export function matchPaths(glob: string): (path: string) => boolean {
  const patterns = splitPatterns(glob.trim()).flatMap((pattern) => expandBraces(pattern.replace(/^\.\//, '')))
  if (patterns.length > alternativesMax) {
    throw new AppError(
      'invalid_request',
      `The glob "${glob.slice(0, 100)}" has too many alternatives. Use a simpler one.`,
    )
  }
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'))
  const isWanted = wanted.length === 0 ? () => true : matchGlobs(wanted)
  const isOut = matchGlobs(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)))
  return (path) => isWanted(path) && !isOut(path)
}

export function isGlob(text: string): boolean {
  return /[*?{[]/.test(text)
}

function splitPatterns(glob: string): string[] {
  const patterns: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= glob.length; at++) {
    const character = glob[at]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === undefined || (character === ',' && depth === 0)) {
      patterns.push(glob.slice(from, at).trim())
      from = at + 1
    }
  }
  return patterns.filter((pattern) => pattern !== '')
}

/** Innermost braces first, so that they may be nested. */
function expandBraces(glob: string): string[] {
  let patterns = [glob]
  for (let round = 0; round < 10 && patterns.length <= alternativesMax; round++) {
    const next = patterns.flatMap((pattern) => {
      const [match, before = '', list = '', after = ''] = /^(.*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? []
      return match === undefined ? [pattern] : list.split(',').map((part) => before + part + after)
    })
    if (next.length === patterns.length && next.every((pattern, index) => pattern === patterns[index])) break
    patterns = next
  }
  return patterns
}
