import type { IndexFile } from '../index-file/index-file.ts'
import { correctSpelling } from './correct-spelling.ts'
import { listQueryTerms } from '../query-terms.ts'
import { getScope } from '../search-index-file.ts'
import type { SearchQuery, TermCounts } from '../search-query.ts'
import { countVisible, resolveEdition } from './search-scope.ts'

/** Counts, for each term of a question, the passages containing it that this reader may see. */
export function countTerms(index: IndexFile, query: SearchQuery): TermCounts {
  const edition = resolveEdition(index, query)
  const scope = getScope(index, query, edition)
  const asked = listQueryTerms(query.text, edition.language)
  const counts = Object.fromEntries(asked.terms.map(({ term }) => [term, countVisible(index, scope, term)]))
  const corrected = correctSpelling(index, scope, asked, edition.language).terms.filter(({ weight }) => weight < 1)
  const meant = corrected.flatMap(({ term, word }) => {
    const typed = asked.terms.find((one) => one.word === word)
    return typed === undefined ? [] : [[typed.term, term]]
  })
  return { passages: scope.visible.count, counts, meant: Object.fromEntries(meant) as Record<string, string> }
}
