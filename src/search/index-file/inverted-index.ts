import type { AnalyzedChunk } from './analyze-chunk.ts'
import { ByteWriter } from './byte-writer.ts'
import { mergePostings } from './merge-postings.ts'
import { fieldCount, packCounts, PostingsWriter, type Postings } from './postings.ts'
import { TermDictionary } from './term-dictionary.ts'
import { renumberTokenRow } from './token-row.ts'

export interface TermRow extends Postings {
  term: string
  id: number
}

/** A chunk reused from an earlier index, with the term ids of that index. */
export interface EarlierChunk {
  /** Its number in that index. */
  chunk: number
  fieldLengths: ArrayLike<number>
  tokenRow: Uint8Array
}

/** The index whose terms are reused. */
export interface EarlierTerms {
  terms: readonly TermRow[]
  /** All ids are below it; more than there are terms in a patched file. */
  termIdsEnd: number
  chunkCount: number
}

/** Collects terms, postings and lengths while chunks are added in order. */
export class InvertedIndexBuilder {
  readonly dictionary = new TermDictionary()
  readonly fieldLengths: Uint16Array
  private readonly earlier: EarlierTerms
  /** By chunk of the earlier index: its new number, or -1. */
  private readonly takenChunks: Int32Array
  private readonly postings: PostingsWriter[] = []
  /** By chunk; null where there is none. */
  private readonly tokenRows: (StoredTokens | null)[] = []

  constructor(chunkCount: number, earlier: EarlierTerms = { terms: [], termIdsEnd: 0, chunkCount: 0 }) {
    this.fieldLengths = new Uint16Array(chunkCount * fieldCount)
    this.earlier = earlier
    this.takenChunks = new Int32Array(earlier.chunkCount).fill(-1)
  }

  /** @returns Its number. */
  add({ termIds, counts, fieldLengths, tokenRow }: AnalyzedChunk): number {
    const chunk = this.tokenRows.length
    this.fieldLengths.set(fieldLengths, chunk * fieldCount)
    for (let place = 0; place < termIds.length; place++) {
      const termId = termIds[place] as number
      const writer = (this.postings[termId] ??= new PostingsWriter())
      writer.add(chunk, packCounts(counts, place * fieldCount))
    }
    return this.tokenRows.push({ row: tokenRow, isTaken: false }) - 1
  }

  /** Leaves numbers to chunks that are not there yet. */
  skip(count: number): void {
    for (let left = count; left > 0; left--) this.tokenRows.push(null)
  }

  /** Reuses a chunk of the earlier index, at most once; its terms come from the postings there. @returns Its number. */
  take({ chunk, fieldLengths, tokenRow }: EarlierChunk): number {
    this.fieldLengths.set(fieldLengths, this.tokenRows.length * fieldCount)
    this.takenChunks[chunk] = this.tokenRows.length
    return this.tokenRows.push({ row: tokenRow, isTaken: true }) - 1
  }

  /**
   * Assigns the final term ids. They depend only on the chunks, not on the order in which terms were met, so that an
   * index is the same whether its rows were analysed or reused.
   */
  finish(): { terms: TermRow[]; listTokenRows(): Generator<[chunk: number, row: Uint8Array]> } {
    const found = this.mergeTerms()
    found.sort((one, other) => compareTerms(one.term, other.term))
    const ids = numberByCount(found.map(({ chunkCount }) => chunkCount))
    const newIds = new Int32Array(this.dictionary.terms.length)
    const newIdsOfTaken = new Int32Array(this.earlier.termIdsEnd)
    const terms = found.map(({ term, chunkCount, bytes, ownId, earlierId }, place) => {
      const id = ids[place] as number
      if (ownId !== null) newIds[ownId] = id
      if (earlierId !== null) newIdsOfTaken[earlierId] = id
      return { term, id, chunkCount, bytes }
    })
    return { terms, listTokenRows: () => renumberAll(this.tokenRows, newIds, newIdsOfTaken) }
  }

  /** Terms of either index that some chunk still contains, in any order. */
  private mergeTerms(): FoundTerm[] {
    const found: FoundTerm[] = []
    const merge = mergePostings(this.takenChunks, this.tokenRows.length)
    const isMerged = new Uint8Array(this.dictionary.terms.length)
    for (const row of this.earlier.terms) {
      const ownId = this.dictionary.find(row.term)
      if (ownId !== null) isMerged[ownId] = 1
      const own = ownId === null ? null : (this.postings[ownId]?.finish() ?? null)
      const { chunkCount, bytes } = merge(row, own)
      if (chunkCount > 0) found.push({ term: row.term, chunkCount, bytes, ownId, earlierId: row.id })
    }
    this.dictionary.terms.forEach((term, ownId) => {
      const own = isMerged[ownId] === 1 ? undefined : this.postings[ownId]
      if (own) found.push({ term, ...own.finish(), ownId, earlierId: null })
    })
    return found
  }
}

interface FoundTerm extends Postings {
  term: string
  ownId: number | null
  earlierId: number | null
}

/** By descending count, ties in order. */
function numberByCount(counts: readonly number[]): Int32Array {
  const ids = new Int32Array(counts.length)
  const places = Array.from(counts.keys())
  places.sort((one, other) => (counts[other] as number) - (counts[one] as number) || one - other)
  places.forEach((place, id) => (ids[place] = id))
  return ids
}

interface StoredTokens {
  row: Uint8Array
  isTaken: boolean
}

/** Each row is valid until the next one is requested. */
function* renumberAll(
  rows: readonly (StoredTokens | null)[],
  newIds: Int32Array,
  newIdsOfTaken: Int32Array,
): Generator<[chunk: number, row: Uint8Array]> {
  const writer = new ByteWriter()
  for (const [chunk, tokens] of rows.entries()) {
    if (tokens !== null) yield [chunk, renumberTokenRow(tokens.row, tokens.isTaken ? newIdsOfTaken : newIds, writer)]
  }
}

/** By code units, independent of the locale. */
const compareTerms = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
