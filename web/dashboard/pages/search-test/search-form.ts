import type { z } from 'zod'
import type { explainSearchRequestSchema } from '../../../../src/contract/explain-search.ts'
import { readSearch, type SearchOf, text } from '../../shell/read-search.ts'

const queryCharsMax = 2_000

const readers = {
  q: text(queryCharsMax),
  version: text(),
  language: text(),
  tag: text(),
  /** Comma-separated. */
  groups: text(queryCharsMax),
  page: text(),
}

/** The query and its filters, as kept in the address. */
export type SearchForm = SearchOf<typeof readers>

export function parseSearchForm(query: Record<string, unknown>): SearchForm {
  return readSearch(query, readers)
}

export function readQuestion(form: SearchForm & { q: string }): z.input<typeof explainSearchRequestSchema> {
  const { q, version, language, tag, groups, page } = form
  return {
    query: q,
    filter: { version: version ?? null, language: language ?? null, tag: tag ?? null },
    currentPath: page ?? null,
    groups: splitWords(groups),
  }
}

/** Null instead of an empty list if none is given, which means the public. */
export function splitWords(text: string | undefined): string[] | null {
  const words = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  return words.length === 0 ? null : words
}
