import ignore, { type Ignore } from 'ignore'
import { keepCheapPatterns } from './match-globs.ts'

/** An ignore file and where it applies. */
export interface IgnoreScope {
  /** Folder of the file, `''` for the root. */
  folder: string
  matcher: Ignore
}

/** Adds a folder's `.gitignore` to those of its parents. */
export function addIgnoreFile(above: readonly IgnoreScope[], folder: string, text: string): readonly IgnoreScope[] {
  const matcher = ignore({ ignorecase: false }).add(keepCheapPatterns(text.split('\n', 1000)))
  return [...above, { folder, matcher }]
}

/**
 * Whether ignore files exclude a path. The nearest match wins, as in git.
 *
 * @param path From the root of the tree, with a trailing slash for a folder.
 */
export function isIgnoredBy(scopes: readonly IgnoreScope[], path: string): boolean {
  for (const { folder, matcher } of scopes.toReversed()) {
    const { ignored, unignored } = matcher.test(folder === '' ? path : path.slice(folder.length + 1))
    if (ignored || unignored) return ignored
  }
  return false
}
