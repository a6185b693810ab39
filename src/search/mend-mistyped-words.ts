import { findClosestTerm, isKnown } from './find-closest-term.ts'
import type { IndexFile } from './index-file.ts'
import type { QueryTerms } from './query-terms.ts'
import type { SearchScope } from './search-scope.ts'

const mistypedWordsMax = 3
/** A guess counts less than a word that stands there. */
const mistypedWeight = 0.7

/** Replaces plain words that no chunk in scope holds by the nearest word that one does. Identifiers stay as they are. */
export function mendMistypedWords(index: IndexFile, scope: SearchScope, query: QueryTerms): QueryTerms {
  let left = mistypedWordsMax
  const terms = query.terms.map((term) => {
    const isPlain = query.words[term.word]?.isPlain === true
    if (!isPlain || left === 0 || isKnown(index, scope, term.term)) return term
    left--
    const closest = findClosestTerm(index, scope, term.term)
    return closest === null ? term : { ...term, term: closest, weight: mistypedWeight }
  })
  const known = new Map(terms.toReversed().map((term) => [term.term, term]))
  return { ...query, terms: terms.filter((term) => known.get(term.term) === term) }
}
