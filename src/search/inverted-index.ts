import type { AnalyzedChunk } from './analyze-chunk.ts'
import { ByteWriter } from './byte-writer.ts'
import { fieldCount, PostingsWriter, type Postings } from './postings.ts'
import { TermDictionary } from './term-dictionary.ts'
import { renumberTokenRow } from './token-row.ts'

export interface TermRow extends Postings {
  term: string
  id: number
}

/** Collects terms, postings and lengths while chunks are added in order. */
export class InvertedIndexBuilder {
  readonly dictionary = new TermDictionary()
  readonly fieldLengths: Uint16Array
  private readonly postings: PostingsWriter[] = []
  private readonly tokenRows: Uint8Array[] = []

  constructor(chunkCount: number) {
    this.fieldLengths = new Uint16Array(chunkCount * fieldCount)
  }

  add({ termIds, counts, fieldLengths, tokenRow }: AnalyzedChunk): void {
    const chunk = this.tokenRows.length
    this.fieldLengths.set(fieldLengths, chunk * fieldCount)
    for (let place = 0; place < termIds.length; place++) {
      const termId = termIds[place] as number
      const writer = (this.postings[termId] ??= new PostingsWriter())
      writer.add(chunk, counts, place * fieldCount)
    }
    this.tokenRows.push(tokenRow)
  }

  /**
   * Gives the terms their final ids, which depend on the chunks alone and not on the order in which words were met, so
   * that an index is the same whether its rows were analysed or taken over.
   */
  finish(): { terms: TermRow[]; listTokenRows(): Generator<Uint8Array> } {
    const { terms } = this.dictionary
    // A dictionary may know words of an earlier index that no chunk holds any more.
    const used = Int32Array.from(terms.keys()).filter((id) => this.postings[id] !== undefined)
    const order = used
      .slice()
      .sort(
        (one, other) =>
          (this.postings[other] as PostingsWriter).chunkCount - (this.postings[one] as PostingsWriter).chunkCount ||
          compareTerms(terms[one] as string, terms[other] as string),
      )
    const newIds = new Int32Array(terms.length)
    order.forEach((oldId, newId) => (newIds[oldId] = newId))
    const rows = Array.from(used, (oldId) => ({
      term: terms[oldId] as string,
      id: newIds[oldId] as number,
      ...(this.postings[oldId] as PostingsWriter).finish(),
    }))
    const byTerm = rows.sort((one, other) => compareTerms(one.term, other.term))
    return { terms: byTerm, listTokenRows: () => renumberAll(this.tokenRows, newIds) }
  }
}

/** Each is valid until the next one is asked for. */
function* renumberAll(rows: readonly Uint8Array[], newIds: Int32Array): Generator<Uint8Array> {
  const writer = new ByteWriter()
  for (const row of rows) yield renumberTokenRow(row, newIds, writer)
}

/** By code units: the same everywhere. */
const compareTerms = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
