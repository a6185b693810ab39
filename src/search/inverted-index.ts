import { analyzeText, type Token } from '../base/text-analysis/analyze-text.ts'
import type { Chunk } from '../content/chunk.ts'
import type { SitePage } from '../content/site-page.ts'
import { encodeTokenRow, fieldCount, PostingsWriter } from './postings.ts'

const lengthMax = 0xffff
/** A chunk is a few hundred words; what lies beyond is still found, but not weighed for nearness. */
const tokenRowMax = 4000

/** Collects terms, postings and lengths while chunks are added in order. */
export class InvertedIndexBuilder {
  readonly postings: PostingsWriter[] = []
  readonly fieldLengths: Uint16Array
  private readonly termIds = new Map<string, number>()
  private chunkCount = 0

  constructor(chunkCount: number) {
    this.fieldLengths = new Uint16Array(chunkCount * fieldCount)
  }

  get terms(): Iterable<[term: string, id: number]> {
    return this.termIds
  }

  /** @returns The chunk's token row. */
  add(page: SitePage, chunk: Chunk): Uint8Array {
    const id = this.chunkCount++
    const fields = analyzeFields(page, chunk)
    const counts = new Map<number, number[]>()
    fields.forEach((tokens, field) => {
      this.fieldLengths[id * fieldCount + field] = Math.min(tokens.length, lengthMax)
      for (const token of tokens) this.count(counts, token.term, field)
    })
    for (const [termId, perField] of counts) (this.postings[termId] as PostingsWriter).add(id, perField)
    const body = (fields[2] ?? []).slice(0, tokenRowMax)
    return encodeTokenRow(body.map(({ term, position }) => ({ termId: this.termIds.get(term) ?? 0, position })))
  }

  private count(counts: Map<number, number[]>, term: string, field: number): void {
    let termId = this.termIds.get(term)
    if (termId === undefined) {
      termId = this.termIds.size
      this.termIds.set(term, termId)
      this.postings.push(new PostingsWriter())
    }
    let perField = counts.get(termId)
    if (!perField) counts.set(termId, (perField = [0, 0, 0, 0]))
    perField[field] = (perField[field] ?? 0) + 1
  }
}

/**
 * In the order of `indexedFields`. The body begins with the titles above it, because a section is written to be read
 * under them and often does not repeat their words.
 */
function analyzeFields(page: SitePage, chunk: Chunk): Token[][] {
  const context = [page.title, ...chunk.headings].join('\n')
  const description = chunk.ordinal === 0 ? `${page.description}\n` : ''
  return [
    page.title,
    [...chunk.headings, ...page.keywords].join('\n'),
    `${context}\n${description}${chunk.text}`,
    page.path.replaceAll('/', ' '),
  ].map((text) => analyzeText(text, page.language))
}
