import type { Chunk } from '../../src/content/pages/chunk.ts'
import type { SitePage } from '../../src/content/site-page.ts'

export interface Corpus {
  pages: readonly SitePage[]
  /** Chunks of one page follow each other, pages in their order. */
  chunks: readonly Chunk[]
}

/** What every engine indexes of a chunk: the same four fields. */
export interface EngineDocument {
  /** Place in `Corpus.chunks`. */
  id: number
  title: string
  headings: string
  text: string
  path: string
}

/** An index in memory or on disk that answers in this thread. */
export interface BuiltEngine {
  /** Places in `Corpus.chunks`, best first, at most `resultsMax`. */
  search(query: string): number[] | Promise<number[]>
  /** The same within the pages at this path and below, where the engine can filter before it ranks. */
  searchBelow?(query: string, pathPrefix: string): number[]
  /** Of the index file; null for what lives in memory. */
  fileBytes: number | null
}

/** A search engine, set up as well as its own documentation advises. */
export interface Engine {
  name: string
  build(corpus: Corpus): BuiltEngine | Promise<BuiltEngine>
}

export const resultsMax = 50

export function listDocuments({ pages, chunks }: Corpus): EngineDocument[] {
  const titles = new Map(pages.map((page) => [page.path, page.title]))
  return chunks.map(({ pagePath, headings, text }, id) => ({
    id,
    title: titles.get(pagePath) ?? '',
    headings: headings.join('\n'),
    text,
    path: pagePath.replaceAll('/', ' '),
  }))
}
