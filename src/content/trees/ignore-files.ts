import ignore, { type Ignore } from 'ignore'
import { keepCheapPatterns } from './match-globs.ts'

/** An ignore file and where it applies. */
export interface IgnoreScope {
  /** Where the file stands, `''` for the root. */
  folder: string
  matcher: Ignore
}

/** Adds the `.gitignore` of a folder to those above it. */
export function addIgnoreFile(above: readonly IgnoreScope[], folder: string, text: string): readonly IgnoreScope[] {
  const matcher = ignore({ ignorecase: false }).add(keepCheapPatterns(text.split('\n', 1000)))
  return [...above, { folder, matcher }]
}

/**
 * Whether ignore files leave a path out. The nearest that says anything counts, as git has it.
 *
 * @param path From the root of the tree, with a slash at its end for a folder.
 */
export function isIgnoredBy(scopes: readonly IgnoreScope[], path: string): boolean {
  for (const { folder, matcher } of scopes.toReversed()) {
    const { ignored, unignored } = matcher.test(folder === '' ? path : path.slice(folder.length + 1))
    if (ignored || unignored) return ignored
  }
  return false
}
