import { deflateRawSync } from 'node:zlib'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'
import { encodeOrigins } from './origin-row.ts'

/** The columns with a chunk's text and its place in the page. */
export interface ChunkText {
  anchor: string | null
  /** JSON. */
  headings: string
  textStart: number | null
  textLength: number | null
  text: Uint8Array | null
  firstBlock: number | null
  blockCount: number
}

export const insertChunkSql = `INSERT OR REPLACE INTO chunk
  VALUES ($id, $anchor, $headings, $textStart, $textLength, $text, $firstBlock, $blockCount, $tokens)`

/** The columns derived from a page's text. */
export interface PageRow {
  content_hash: Uint8Array
  markdown: Uint8Array
  origins: Uint8Array | null
}

/** The columns that say what a page is and who may see it. */
export function makePageColumns(page: SitePage, copyGroup: number | null) {
  return {
    path: page.path,
    title: page.title,
    description: page.description,
    section: JSON.stringify(page.section),
    version: page.version,
    language: page.language,
    tag: page.tag,
    keywords: JSON.stringify(page.keywords),
    groups: JSON.stringify(page.groups),
    is_public: Number(page.isPublic),
    is_searchable: Number(page.isSearchable),
    is_listed: Number(page.isListed),
    boost: page.boost,
    copy_group: copyGroup,
    file: page.source === undefined ? null : page.file,
    images: page.images === undefined ? null : JSON.stringify(page.images),
  }
}

export type PageColumns = ReturnType<typeof makePageColumns>

/** Texts are a kilobyte or two: clearing the default window would cost more than filling it. */
const smallTextCompression = { windowBits: 13, memLevel: 6, chunkSize: 4_096 }
/** Passages of longer pages are stored separately, because reading one would inflate the whole page. */
const sharedMarkdownCharsMax = 100_000

/** Copied, because zlib's result retains its whole working buffer. */
const deflateText = (text: string): Uint8Array => Uint8Array.from(deflateRawSync(text, smallTextCompression))

/** @param chunks Of the page, in order. */
export function encodeChunkTexts(page: SitePage, chunks: readonly Chunk[]): ChunkText[] {
  let from = 0
  return chunks.map((chunk) => {
    const text = encodeChunkText(page, chunk, from)
    from = text.textStart === null ? from : text.textStart + chunk.text.length
    return text
  })
}

/** @param from Where the previous chunk was found: chunks are in page order. */
function encodeChunkText({ markdown }: SitePage, chunk: Chunk, from: number): ChunkText {
  const { first: firstBlock = null, count: blockCount = 0 } = chunk.blocks ?? {}
  const place = { anchor: chunk.anchor, headings: JSON.stringify(chunk.headings), firstBlock, blockCount }
  const start = markdown.length > sharedMarkdownCharsMax ? -1 : markdown.indexOf(chunk.text, from)
  if (start >= 0) return { ...place, textStart: start, textLength: chunk.text.length, text: null }
  return { ...place, textStart: null, textLength: null, text: deflateText(chunk.text) }
}

export function encodePage(page: SitePage, contentHash: Uint8Array): PageRow {
  return { content_hash: contentHash, markdown: deflateText(page.markdown), origins: encodeOrigins(page) }
}
