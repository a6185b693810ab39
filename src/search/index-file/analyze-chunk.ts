import { analyzeText, type Token } from '../../base/text-analysis/analyze-text.ts'
import { hideHeadingIds } from '../../content/markdown/heading-anchors.ts'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'
import { listCallTerms } from './call-terms.ts'
import type { TermNumbers } from './term-dictionary.ts'
import { encodeTokenRow } from './token-row.ts'

/** The words of a chunk as stored in an index. */
export interface AnalyzedChunk {
  /** Distinct, in any order. */
  termIds: ArrayLike<number>
  /** `fieldCount` counts for each of `termIds`, at most 255 each. */
  counts: ArrayLike<number>
  /** Number of terms per field, at most 65,535. */
  fieldLengths: ArrayLike<number>
  tokenRow: Uint8Array
}

const lengthMax = 0xffff
const countMax = 0xff
/** Chunks have a few hundred words; those beyond this limit are searchable but do not count for proximity. */
const tokenRowMax = 4000
/** Index in `indexedFields`. */
const bodyField = 2

export type AnalyzedPage = Pick<SitePage, 'path' | 'title' | 'description' | 'language' | 'keywords'>
type AnalyzedText = Pick<Chunk, 'ordinal' | 'headings' | 'text'>

/** Analyses the words shared by all chunks of a page only once. */
export function createChunkAnalyzer(
  page: AnalyzedPage,
  dictionary: TermNumbers,
): (chunk: AnalyzedText) => AnalyzedChunk {
  const title = analyzeText(page.title, page.language)
  const path = analyzeText(page.path.replaceAll('/', ' '), page.language)
  return (chunk) => countFields(analyzeFields(page, chunk, { title, path }), listCallTerms(chunk.text), dictionary)
}

/**
 * In the order of `indexedFields`. The body begins with the headings above it, because a section is written to be read
 * under them and often does not repeat their words.
 */
function analyzeFields(
  page: AnalyzedPage,
  chunk: AnalyzedText,
  { title, path }: Record<'title' | 'path', Token[]>,
): Token[][] {
  const context = [page.title, ...chunk.headings].join('\n')
  const description = chunk.ordinal === 0 ? `${page.description}\n` : ''
  const headings = analyzeText([...chunk.headings, ...page.keywords].join('\n'), page.language)
  const body = analyzeText(`${context}\n${description}${hideHeadingIds(chunk.text)}`, page.language)
  return [title, headings, body, path]
}

/** @param calls Counted in the body, without adding to its length. */
function countFields(fields: readonly Token[][], calls: readonly string[], dictionary: TermNumbers): AnalyzedChunk {
  const places = new Map<number, number>()
  const counts: number[] = []
  const row: { termId: number; position: number }[] = []
  const count = (termId: number, field: number) => {
    let place = places.get(termId)
    if (place === undefined) {
      places.set(termId, (place = counts.length))
      counts.push(0, 0, 0, 0)
    }
    counts[place + field] = Math.min(countMax, (counts[place + field] as number) + 1)
  }
  fields.forEach((tokens, field) => {
    for (const { term, position } of tokens) {
      const termId = dictionary.number(term)
      count(termId, field)
      if (field === bodyField && row.length < tokenRowMax) row.push({ termId, position })
    }
  })
  for (const call of calls) count(dictionary.number(call), bodyField)
  const fieldLengths = fields.map((tokens) => Math.min(tokens.length, lengthMax))
  return { termIds: [...places.keys()], counts, fieldLengths, tokenRow: encodeTokenRow(row) }
}
