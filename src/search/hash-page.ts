import { createHash } from 'node:crypto'
import type { Chunk } from '../content/chunk.ts'
import type { SitePage } from '../content/site-page.ts'

/** Names everything of a page that its rows are made from, its visibility and place aside, which are written anew. */
export function hashPage(page: SitePage, chunks: readonly Chunk[]): Uint8Array {
  const { path, title, description, keywords, language, markdown } = page
  const parts = chunks.map(({ ordinal, anchor, headings, text }) => [ordinal, anchor, headings, text])
  const content = JSON.stringify([path, title, description, keywords, language, markdown, parts])
  return createHash('sha256').update(content).digest().subarray(0, 16)
}
