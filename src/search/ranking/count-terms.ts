import type { IndexFile } from '../index-file/index-file.ts'
import type { QueryTerms } from '../query-terms.ts'
import type { SearchQuery, TermCounts } from '../search-query.ts'
import { correctSpelling } from './correct-spelling.ts'
import { listAskedTerms } from './list-asked-terms.ts'
import type { Edition } from './page-access.ts'
import { countVisible, getScope, resolveEdition, type SearchScope } from './search-scope.ts'

/** The terms of a question. */
export interface ReadTerms {
  asked: QueryTerms
  /** With corrected spelling. */
  meant: QueryTerms
}

export function readTerms(index: IndexFile, scope: SearchScope, text: string, { language }: Edition): ReadTerms {
  const asked = listAskedTerms(index, scope, text, language)
  return { asked, meant: correctSpelling(index, scope, asked, language) }
}

/** Counts, for each term of a question, the passages containing it that this reader may see. */
export function countTerms(index: IndexFile, query: SearchQuery): TermCounts {
  const edition = resolveEdition(index, query)
  const scope = getScope(index, query, edition)
  return countReadTerms(index, scope, readTerms(index, scope, query.text, edition))
}

export function countReadTerms(index: IndexFile, scope: SearchScope, { asked, meant }: ReadTerms): TermCounts {
  const counts = Object.fromEntries(asked.terms.map(({ term }) => [term, countVisible(index, scope, term)]))
  const corrected = Map.groupBy(meant.terms, ({ typed }) => typed)
  const replaced = asked.terms.flatMap(({ term }) => {
    const found = corrected.get(term) ?? []
    return found.length === 0 ? [] : [[term, found.map((one) => one.term)] as const]
  })
  return { passages: scope.visible.count, counts, meant: Object.fromEntries(replaced) }
}
