import { deflateRawSync } from 'node:zlib'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'

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

/** The columns derived from a page's text. */
export interface PageRow {
  contentHash: Uint8Array
  markdown: Uint8Array
  origins: Uint8Array | null
}

/** Texts are a kilobyte or two: clearing the default window would cost more than filling it. */
const smallTextCompression = { windowBits: 13, memLevel: 6, chunkSize: 4_096 }
/** Passages of longer pages are stored separately, because reading one would inflate the whole page. */
const sharedMarkdownCharsMax = 100_000

/** Copied, because zlib's result retains its whole working buffer. */
export const deflateText = (text: string): Uint8Array => Uint8Array.from(deflateRawSync(text, smallTextCompression))

/** @param from Where the previous chunk was found: chunks are in page order. */
export function encodeChunkText({ markdown }: SitePage, chunk: Chunk, from: number): ChunkText {
  const { first: firstBlock = null, count: blockCount = 0 } = chunk.blocks ?? {}
  const place = { anchor: chunk.anchor, headings: JSON.stringify(chunk.headings), firstBlock, blockCount }
  const start = markdown.length > sharedMarkdownCharsMax ? -1 : markdown.indexOf(chunk.text, from)
  if (start >= 0) return { ...place, textStart: start, textLength: chunk.text.length, text: null }
  return { ...place, textStart: null, textLength: null, text: deflateText(chunk.text) }
}
