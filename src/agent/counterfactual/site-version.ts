import { join } from 'node:path'
import { locateSite } from '../../content/formats/site-formats.ts'
import { type LinkedSite, readLinkedSite } from '../../content/read-site.ts'
import { chunkPage } from '../../content/pages/chunk-page.ts'
import type { SitePage } from '../../content/site-page.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { buildIndexFile } from '../../search/index-file/build-index-file.ts'
import { IndexFile } from '../../search/index-file/index-file.ts'
import { describeSite } from '../../sites/describe-site.ts'
import type { ParsedPages } from '../../sites/indexing/parsed-pages.ts'
import { createPageReuse } from '../../sites/indexing/reuse-parsed-pages.ts'

/** A tree with a documentation site. */
export interface SiteTree {
  tree: FileTree
  /** The site's folder in the tree; empty for the root. */
  folder: string
}

/** A site as it is in one tree. */
export interface SiteVersion extends LinkedSite, SiteTree {
  /** The site's folder as the format found it. */
  root: string
  /** Pages that anyone may see and that answers may quote. */
  openPages: readonly SitePage[]
  index: IndexFile
  indexFile: string
}

/** File names of the indexes of the two versions that are compared. */
export const versionNames = { before: 'before', after: 'after' } as const

export interface ReadVersionOptions {
  /** Where the index is written. */
  workFolder: string
  name: string
  /** Public URL of the site; null if unknown. */
  siteUrl: string | null
  /** Pages that are known from another version are not parsed again. */
  parsed: ParsedPages
  /** Names the code that reads and splits pages. */
  code: string
  /** File of another index, whose rows are reused. */
  previous: string | null
  signal: AbortSignal
}

/** Reads and indexes a version of a site. CPU-bound: about 20 ms for each page that is not known yet. */
export async function readSiteVersion({ tree, folder }: SiteTree, options: ReadVersionOptions): Promise<SiteVersion> {
  const { workFolder, name, siteUrl, parsed, code, previous, signal } = options
  const reuse = createPageReuse({ tree, known: parsed, givenUp: [], onStart: () => undefined, onEnd: () => undefined })
  const linked = await readLinkedSite(tree, { signal, folder, siteUrl, ...reuse })
  const { pages } = linked.site
  const indexFile = join(workFolder, name)
  buildIndexFile(indexFile, {
    header: describeSite(linked.site, tree.revision),
    pages,
    chunkPage,
    chunker: code,
    ...(previous === null ? {} : { previous }),
  })
  return {
    ...linked,
    tree,
    folder,
    root: locateSite(new Set(tree.paths), folder).root,
    openPages: pages.filter(({ isPublic, isSearchable, groups }) => isPublic && isSearchable && groups.length === 0),
    index: new IndexFile(indexFile),
    indexFile,
  }
}
