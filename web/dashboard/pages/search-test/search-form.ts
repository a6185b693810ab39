import type { z } from 'zod'
import type { explainSearchRequestSchema } from '../../../../src/contract/explain-search.ts'

/** The query and what narrows it, as it stands in the address of the page. */
export interface SearchForm {
  q?: string
  version?: string
  language?: string
  tag?: string
  /** Separated by commas. */
  groups?: string
  page?: string
}

const names = ['q', 'version', 'language', 'tag', 'groups', 'page'] as const

/** What an address says; all else in it is passed over. */
export function parseSearchForm(search: Readonly<Record<string, unknown>>): SearchForm {
  const given = names.flatMap((name) => {
    const value = search[name]
    // Numbers are parsed out of addresses, such as a version.
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : []
  })
  return Object.fromEntries(given)
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

/** Null, and not an empty list, where none is named: then it is asked as by the public. */
export function splitWords(text: string | undefined): string[] | null {
  const words = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  return words.length === 0 ? null : words
}
