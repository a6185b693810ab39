import ignore from 'ignore'
import { keepCheapPatterns } from './match-globs.ts'

const ignoredFolders = [
  '.git',
  '.github',
  '.claude',
  '.agents',
  '.idea',
  '.vscode',
  'node_modules',
  'build',
  'dist',
  'coverage',
  '.cache',
  'tmp',
  'temp',
]
const ignoredFiles = ['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']

/** Folders that are never part of a site's content, wherever they stand. */
export const ignoredFolderNames: ReadonlySet<string> = new Set(ignoredFolders)

/**
 * Which files are no part of a published site.
 *
 * @param ignoreFile Text of the site's `.mintignore`, in the syntax of `.gitignore`. It comes after the names that are
 *   always ignored and may take one back with `!`. Patterns beyond 1,000 lines are not read: each costs time per file.
 */
export function createIgnoreFilter(ignoreFile = ''): (path: string) => boolean {
  const matcher = ignore({ ignorecase: false }).add([...ignoredFolders, ...ignoredFiles, '.mintlify'])
  matcher.add(keepCheapPatterns(ignoreFile.split('\n', 1000)))
  return (path) => matcher.ignores(path)
}
