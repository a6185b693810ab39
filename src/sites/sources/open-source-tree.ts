import { AppError } from '../../contract/app-error.ts'
import { isForgeKind } from '../../contract/code-hosts.ts'
import { locateSite } from '../../content/formats/site-formats.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { resolveSourcePath } from '../../content/trees/source-path.ts'
import type { Finding } from '../../content/site-page.ts'
import { openSavedCrawl } from '../../crawl/crawl-snapshot.ts'
import { type CommitTree, openCommitTree } from '../../git/trees/commit-tree.ts'
import type { SiteSource } from '../../store/sites/sites.ts'

/** A source tree and a function to close it. */
export interface OpenTree {
  /** The site's folder, or the repository around it. */
  tree: FileTree
  /** The site's folder in `tree`. */
  folder: string
  /** The folder of `tree` in the source; null for a crawl, whose files exist only here. */
  root: string | null
  /** Findings from assembling the tree. */
  findings: Finding[]
  close(): Promise<void>
}

/**
 * Opens the current files of a site's source.
 *
 * @throws {Error} with a message, when the folder, the repository or the ref does not exist.
 */
export async function openSourceTree(source: SiteSource, signal: AbortSignal): Promise<OpenTree> {
  const { kind } = source
  if (kind === 'builtin' || isForgeKind(kind)) {
    throw new Error('A code host repository must be resolved to its local git repository first.')
  }
  switch (kind) {
    case 'folder':
      return openFolder(source, signal)
    case 'git':
      return openCommit(source, signal)
    case 'crawl': {
      const saved = openSavedCrawl(source.location)
      if (saved === null) throw new Error('Cannot read the stored crawl. Sync the site to crawl it again.')
      return { ...saved, folder: '', root: null, close: async () => {} }
    }
  }
}

async function openFolder(source: SiteSource, signal: AbortSignal): Promise<OpenTree> {
  const tree = await openFolderTree(joinSubdirectory(source), { signal })
  const folder = normalizeFolder(source)
  const alone = { tree, folder: '', root: folder, findings: [], close: async () => {} }
  if (!looksAround(source, tree)) return alone
  // What is around may be too large to be listed.
  const around = await openFolderTree(source.location, { signal }).catch(() => null)
  signal.throwIfAborted()
  if (around === null) return alone
  return { ...alone, tree: { ...around, revision: tree.revision }, folder, root: '' }
}

async function openCommit(source: SiteSource, signal: AbortSignal): Promise<OpenTree> {
  const { location, ref, subdirectory } = source
  const tree = await openCommitTree({ repository: location, ref, subdirectory }, signal)
  const folder = normalizeFolder(source)
  if (!looksAround(source, tree)) return { ...wrapCommit(tree), folder: '', root: folder }
  tree.close()
  const around = await openCommitTree({ repository: location, ref: tree.revision, subdirectory: '' }, signal)
  return { ...wrapCommit(around), folder, root: '' }
}

function normalizeFolder({ subdirectory }: SiteSource): string {
  return resolveSourcePath('', subdirectory) ?? ''
}

/** Whether the site in a folder of a larger source may use files around its folder. */
function looksAround(source: SiteSource, { paths }: Pick<FileTree, 'paths'>): boolean {
  return normalizeFolder(source) !== '' && locateSite(new Set(paths)).format.looksAround === true
}

function wrapCommit(tree: CommitTree): Omit<OpenTree, 'folder' | 'root'> {
  const idOf = (path: string) => tree.find(path)?.id ?? null
  const targetOf = (path: string) => tree.find(path)?.linkTarget ?? null
  return { tree: { ...tree, idOf, targetOf }, findings: [], close: async () => tree.close() }
}

/** The folder that a source on this machine names. @throws {AppError} for one outside the source. */
export function joinSubdirectory({ location, subdirectory }: SiteSource): string {
  if (subdirectory.split('/').includes('..')) {
    throw new AppError(
      'invalid_request',
      `The subdirectory ${subdirectory} is outside the source: write it without "..".`,
    )
  }
  return subdirectory === '' ? location : `${location}/${subdirectory}`
}
