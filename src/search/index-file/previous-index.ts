import { fieldOffset, IndexFile } from './index-file.ts'
import type { EarlierChunk, EarlierTerms } from './inverted-index.ts'
import type { ChunkText } from './page-rows.ts'

/** A page of an earlier index, to be copied unchanged. */
export interface EarlierPage {
  markdown: Uint8Array
  origins: Uint8Array | null
  chunks: { text: ChunkText; words: EarlierChunk }[]
}

/** Rows of an earlier index, reused for unchanged pages. */
export interface PreviousIndex extends EarlierTerms {
  /** Null if no untaken page has this content: versions of a site may share pages. */
  takePage(contentHash: Uint8Array): EarlierPage | null
  close(): void
}

/**
 * Opens an earlier index file of the same format and analysis.
 *
 * @returns Null if it cannot be used, for whatever reason; analysing all pages yields the same index.
 */
export function openPreviousIndex(file: string): PreviousIndex | null {
  let index: IndexFile | undefined
  try {
    index = new IndexFile(file)
    index.assertWhole()
    return readPrevious(index)
  } catch {
    index?.close()
    return null
  }
}

function readPrevious(index: IndexFile): PreviousIndex {
  const { chunkPages, fieldLengths } = index
  const pagesByHash = new Map<string, number[]>()
  index.listContentHashes().forEach((hash, page) => {
    const known = pagesByHash.get(toHex(hash))
    if (known) known.push(page)
    else pagesByHash.set(toHex(hash), [page])
  })
  const firstChunks = new Map<number, number>()
  chunkPages.forEach((page, chunk) => void (firstChunks.has(page) || firstChunks.set(page, chunk)))
  return {
    terms: index.listTermRows(),
    termIdsEnd: index.termSlots.length,
    chunkCount: chunkPages.length,
    takePage(contentHash) {
      const page = pagesByHash.get(toHex(contentHash))?.shift()
      if (page === undefined) return null
      const first = firstChunks.get(page)
      const stored = first === undefined ? [] : index.listStoredChunks(first, page)
      const chunks = stored.map(({ tokens, ...text }, place) => {
        const chunk = (first ?? 0) + place
        const words = { chunk, fieldLengths: fieldLengths.subarray(fieldOffset(chunk), fieldOffset(chunk + 1)) }
        return { text, words: { ...words, tokenRow: tokens } }
      })
      return { ...index.getStoredPage(page), chunks }
    },
    close: () => index.close(),
  }
}

const toHex = (hash: Uint8Array) => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')
