import ignore from 'ignore'
import { keepCheapPatterns } from './match-globs.ts'

const toolFolders = ['.git', '.github', '.claude', '.agents', '.idea', '.vscode', '.cache', 'node_modules']
/** Build output. Where files are pages without being listed in a navigation file, such a folder may be a chapter. */
const generatedFolders = ['build', 'dist', 'coverage', 'tmp', 'temp']
const ignoredFiles = ['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']

/** Folders that are never part of a site's source, at any depth. */
export const ignoredFolderNames: ReadonlySet<string> = new Set(toolFolders)

/**
 * Returns a predicate for files that are not part of a published site.
 *
 * @param ignoreFile Text of the site's `.mintignore`, in `.gitignore` syntax. Applied after the built-in patterns,
 *   which `!` can revert. Only the first 1,000 lines count, because each costs time per file.
 */
export function createIgnoreFilter(ignoreFile: string, leavesOutBuilds: boolean): (path: string) => boolean {
  const folders = leavesOutBuilds ? [...toolFolders, ...generatedFolders] : toolFolders
  const matcher = ignore({ ignorecase: false }).add([...folders, ...ignoredFiles, '.mintlify'])
  matcher.add(keepCheapPatterns(ignoreFile.split('\n', 1000)))
  return (path) => matcher.ignores(path)
}
