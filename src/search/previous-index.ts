import { fieldOffset, IndexFile } from './index-file.ts'
import type { AnalyzedChunk } from './analyze-chunk.ts'
import { makeChunkSet } from './chunk-set.ts'
import type { PageRows } from './page-rows.ts'
import { decodePostings, fieldCount } from './postings.ts'
import type { TermDictionary } from './term-dictionary.ts'
import { renumberTokenRow } from './token-row.ts'
import { ByteWriter } from './byte-writer.ts'

/** Rows of an earlier index, to be taken over for pages that have not changed. */
export interface PreviousIndex {
  /** Null when no page has this content. The terms get the numbers of `dictionary`. */
  takeRows(contentHash: Uint8Array): PageRows | null
  close(): void
}

interface ChunkTerms {
  /** By chunk: where its terms begin; one entry more than there are chunks. */
  starts: Int32Array
  termIds: Int32Array
  counts: Uint8Array
}

/**
 * Opens an earlier index file of the same format and analysis.
 *
 * @returns Null when it cannot be used, whatever the reason: then all pages are analysed, which gives the same index.
 */
export function openPreviousIndex(file: string, dictionary: TermDictionary): PreviousIndex | null {
  let index: IndexFile | undefined
  try {
    index = new IndexFile(file)
    index.assertWhole()
    return readPrevious(index, dictionary)
  } catch {
    index?.close()
    return null
  }
}

function readPrevious(index: IndexFile, dictionary: TermDictionary): PreviousIndex {
  const pagesByHash = new Map(index.listContentHashes().map((hash, page) => [toHex(hash), page]))
  const firstChunks = new Map<number, number>()
  index.chunkPages.forEach((page, chunk) => void (firstChunks.has(page) || firstChunks.set(page, chunk)))
  const terms = index.listTermRows()
  const numbers = new Int32Array(terms.length)
  for (const { term, id } of terms) numbers[id] = dictionary.number(term)
  const chunkTerms = invertPostings(index, terms)
  const writer = new ByteWriter()
  const readWords = (chunk: number): AnalyzedChunk => {
    const [start, end] = [chunkTerms.starts[chunk] as number, chunkTerms.starts[chunk + 1] as number]
    return {
      termIds: chunkTerms.termIds.subarray(start, end).map((id) => numbers[id] as number),
      counts: chunkTerms.counts.subarray(start * fieldCount, end * fieldCount),
      fieldLengths: index.fieldLengths.subarray(fieldOffset(chunk), fieldOffset(chunk + 1)),
      tokenRow: renumberTokenRow(index.getTokenRow(chunk), numbers, writer).slice(),
    }
  }
  return {
    takeRows(contentHash) {
      const page = pagesByHash.get(toHex(contentHash))
      if (page === undefined) return null
      const rows: PageRows = { contentHash, markdown: index.getStoredMarkdown(page), chunks: [] }
      const first = firstChunks.get(page) ?? index.chunkPages.length
      for (let chunk = first; index.chunkPages[chunk] === page; chunk++) {
        rows.chunks.push({ text: index.getStoredText(chunk), words: readWords(chunk) })
      }
      return rows
    },
    close: () => index.close(),
  }
}

/** From the chunks of each term to the terms of each chunk. */
function invertPostings(index: IndexFile, terms: ReturnType<IndexFile['listTermRows']>): ChunkTerms {
  const chunkCount = index.chunkPages.length
  const all = makeChunkSet(new Uint8Array(chunkCount).fill(1))
  const buffer = index.postingsBuffer
  const starts = new Int32Array(chunkCount + 1)
  for (const term of terms) {
    decodePostings(term, all, buffer)
    for (let entry = 0; entry < buffer.length; entry++) {
      const next = (buffer.chunks[entry] as number) + 1
      starts[next] = (starts[next] as number) + 1
    }
  }
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    starts[chunk + 1] = (starts[chunk + 1] as number) + (starts[chunk] as number)
  }
  const entryCount = starts[chunkCount] as number
  const filled = starts.slice()
  const termIds = new Int32Array(entryCount)
  const counts = new Uint8Array(entryCount * fieldCount)
  for (const term of terms) {
    decodePostings(term, all, buffer)
    for (let entry = 0; entry < buffer.length; entry++) {
      const chunk = buffer.chunks[entry] as number
      const place = filled[chunk] as number
      filled[chunk] = place + 1
      termIds[place] = term.id
      for (let field = 0; field < fieldCount; field++) {
        counts[place * fieldCount + field] = buffer.counts[entry * fieldCount + field] as number
      }
    }
  }
  return { starts, termIds, counts }
}

const toHex = (hash: Uint8Array) => Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')
