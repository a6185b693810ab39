import { chunkPage } from '../content/chunk-page.ts'
import { readSite } from '../content/read-site.ts'
import type { Finding } from '../content/site-page.ts'
import { buildIndexFile } from '../search/build-index-file.ts'
import type { IndexHeader } from '../search/search-query.ts'
import type { SiteSource } from '../store/sites.ts'
import { openSourceTree } from './open-source-tree.ts'

export interface IndexSiteInput {
  source: SiteSource
  /** Where the index file is to be; written whole or not at all. */
  file: string
  /** The revision that is served now: the same one again needs no new index. */
  currentRevision: string | null
}

export type IndexSiteResult =
  | { outcome: 'unchanged' }
  | { outcome: 'indexed'; header: IndexHeader; findings: Finding[] }

/**
 * Reads a site's source and builds its index file: files → pages → chunks → file.
 *
 * Runs in a thread of its own (`index-site-worker.ts`), because parsing and building are work for the processor that
 * answers must not wait for.
 *
 * @throws {Error} when the source cannot be read or holds no page; nothing is left at `file` then.
 */
export async function indexSite(input: IndexSiteInput, signal: AbortSignal): Promise<IndexSiteResult> {
  const { tree, close } = await openSourceTree(input.source, signal)
  try {
    if (tree.revision === input.currentRevision) return { outcome: 'unchanged' }
    const site = await readSite(tree, { signal })
    if (site.pages.length === 0) {
      throw new Error(
        'No page was found in the source. Check its folder, and that docs.json or Markdown files lie in it.',
      )
    }
    const header = buildIndexFile(input.file, {
      header: {
        siteName: site.name,
        siteDescription: site.description,
        revision: tree.revision,
        defaultVersion: site.defaultVersion,
        defaultLanguage: site.defaultLanguage,
      },
      pages: site.pages,
      chunks: site.pages.flatMap(chunkPage),
    })
    return { outcome: 'indexed', header, findings: site.findings }
  } finally {
    await close()
  }
}
