import { createHash } from 'node:crypto'
import type { IndexFile } from './index-file.ts'

/** The text of a chunk as embedded. */
export interface EmbeddedPassage {
  chunk: number
  text: string
  /** Identifies the text: equal texts share one vector. */
  hash: Uint8Array
}

/** Beyond what most models read; a chunk of prose is a third of it. */
const passageCharsMax = 8_000

/** Passages of the searchable pages, in order, prefixed with the headings above them. */
export function* listEmbeddedPassages(index: IndexFile): Generator<EmbeddedPassage> {
  for (let chunk = 0; chunk < index.chunkPages.length; chunk++) {
    const page = index.pages[index.chunkPages[chunk] as number]
    if (page?.isSearchable !== true || !index.hasChunk(chunk)) continue
    const { headings, text } = index.getChunk(chunk)
    const titles = [page.title, ...headings].filter((title) => title.trim() !== '').join(' > ')
    const whole = `${titles}\n\n${text}`.trim().slice(0, passageCharsMax)
    if (whole !== '') yield { chunk, text: whole, hash: hashText(whole) }
  }
}

/** Names a text in the cache of vectors. */
export const hashText = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16)
