import { analyzeQuery } from '../base/text-analysis/analyze-text.ts'

/** A term that a query searches for. */
export interface QueryTerm {
  term: string
  /** The query word it belongs to, from 0; -1 for a call, which repeats a word. */
  word: number
  /** Factor on its share of the score. */
  weight: number
}

export interface QueryTerms {
  /** Distinct, in order of first use. */
  terms: QueryTerm[]
  /**
   * Lower-cased words as typed, by number. Plain words may be mistyped; identifiers and n-grams are never corrected.
   */
  words: { surface: string; isPlain: boolean }[]
}

/** Longer queries are pasted logs, whose beginning says what they are about. */
export const queryCharsMax = 4000

export function listQueryTerms(text: string, language: string | null): QueryTerms {
  const words = analyzeQuery(text.slice(0, queryCharsMax), language)
  const terms = new Map<string, QueryTerm>()
  words.forEach(({ wholes, parts }, word) => {
    for (const term of [...wholes, ...parts]) if (!terms.has(term)) terms.set(term, { term, word, weight: 1 })
  })
  return {
    terms: [...terms.values()],
    words: words.map(({ surface, wholes }) => ({ surface, isPlain: wholes.length === 0 })),
  }
}
