import type { IndexFile } from '../index-file/index-file.ts'
import { correctSpelling } from './correct-spelling.ts'
import { listAskedTerms } from './list-asked-terms.ts'
import { getScope } from '../search-index-file.ts'
import type { SearchQuery, TermCounts } from '../search-query.ts'
import { countVisible, resolveEdition } from './search-scope.ts'

/** Counts, for each term of a question, the passages containing it that this reader may see. */
export function countTerms(index: IndexFile, query: SearchQuery): TermCounts {
  const edition = resolveEdition(index, query)
  const scope = getScope(index, query, edition)
  const asked = listAskedTerms(index, scope, query.text, edition.language)
  const counts = Object.fromEntries(asked.terms.map(({ term }) => [term, countVisible(index, scope, term)]))
  const { terms } = correctSpelling(index, scope, asked, edition.language)
  const corrected = Map.groupBy(terms, ({ typed }) => typed)
  const meant = asked.terms.flatMap(({ term }) => {
    const found = corrected.get(term) ?? []
    return found.length === 0 ? [] : [[term, found.map((one) => one.term)] as const]
  })
  return { passages: scope.visible.count, counts, meant: Object.fromEntries(meant) }
}
