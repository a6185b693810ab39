import { AppError } from '../../contract/app-error.ts'
import { isForgeKind } from '../../contract/code-hosts.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import type { Finding } from '../../content/site-page.ts'
import { openSavedCrawl } from '../../crawl/crawl-snapshot.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import type { SiteSource } from '../../store/sites/sites.ts'

/** A source tree and a function to close it. */
export interface OpenTree {
  tree: FileTree
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
    case 'folder': {
      const tree = await openFolderTree(joinSubdirectory(source), { signal })
      return { tree, findings: [], close: async () => {} }
    }
    case 'git': {
      const { location, ref, subdirectory } = source
      const tree = await openCommitTree({ repository: location, ref, subdirectory }, signal)
      const idOf = (path: string) => tree.find(path)?.id ?? null
      return { tree: { ...tree, idOf }, findings: [], close: async () => tree.close() }
    }
    case 'crawl': {
      const saved = openSavedCrawl(source.location)
      if (saved === null) throw new Error('Cannot read the stored crawl. Sync the site to crawl it again.')
      return { ...saved, close: async () => {} }
    }
  }
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
