import { deflateRawSync } from 'node:zlib'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'

/** The columns that hold a chunk's text. */
export interface ChunkText {
  anchor: string | null
  /** JSON. */
  headings: string
  textStart: number | null
  textLength: number | null
  text: Uint8Array | null
}

/** The columns derived from a page's text. */
export interface PageRow {
  contentHash: Uint8Array
  markdown: Uint8Array
}

/** Texts are a kilobyte or two: the default window would cost more to clear than to fill. */
const smallTextCompression = { windowBits: 13, memLevel: 6, chunkSize: 4_096 }
/** A passage of a longer page is stored by itself, because reading it would mean to inflate the whole page. */
const sharedMarkdownCharsMax = 100_000

/** Copied, because zlib's result keeps its whole working buffer in memory. */
export const deflateText = (text: string): Uint8Array => Uint8Array.from(deflateRawSync(text, smallTextCompression))

/** @param from Where the chunk before was found: chunks follow each other in the page. */
export function storeChunkText({ markdown }: SitePage, chunk: Chunk, from: number): ChunkText {
  const place = { anchor: chunk.anchor, headings: JSON.stringify(chunk.headings) }
  const start = markdown.length > sharedMarkdownCharsMax ? -1 : markdown.indexOf(chunk.text, from)
  if (start >= 0) return { ...place, textStart: start, textLength: chunk.text.length, text: null }
  return { ...place, textStart: null, textLength: null, text: deflateText(chunk.text) }
}
