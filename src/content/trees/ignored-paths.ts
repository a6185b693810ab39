import ignore from 'ignore'
import { keepCheapPatterns } from './match-globs.ts'

/** Folders of tools. */
const toolFolders = ['.git', '.github', '.claude', '.agents', '.idea', '.vscode', '.cache', 'node_modules']
/** Build output. Where files are pages without being named, a folder of such a name may be a chapter. */
const generatedFolders = ['build', 'dist', 'coverage', 'tmp', 'temp']
const ignoredFiles = ['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']

/** Folders that are never part of a site's source, wherever they stand. */
export const ignoredFolderNames: ReadonlySet<string> = new Set(toolFolders)

/**
 * Tells which files are not part of a published site.
 *
 * @param ignoreFile Text of the site's `.mintignore`, in the syntax of `.gitignore`. It comes after the names that are
 *   always ignored and may take one back with `!`. Patterns beyond 1,000 lines are not read: each costs time per file.
 */
export function createIgnoreFilter(ignoreFile: string, leavesOutBuilds: boolean): (path: string) => boolean {
  const folders = leavesOutBuilds ? [...toolFolders, ...generatedFolders] : toolFolders
  const matcher = ignore({ ignorecase: false }).add([...folders, ...ignoredFiles, '.mintlify'])
  matcher.add(keepCheapPatterns(ignoreFile.split('\n', 1000)))
  return (path) => matcher.ignores(path)
}
