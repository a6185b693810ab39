import { findClosestTerm, isKnown } from './find-closest-term.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import type { QueryTerms } from '../query-terms.ts'
import type { SearchScope } from './search-scope.ts'

const mistypedWordsMax = 3
/** A correction counts less than an exact match. */
const mistypedWeight = 0.7

/** Bounds cost: queries repeat words that a site lacks, and comparing one with all terms is expensive. */
const keptGuessesMax = 5_000
const guessesByScope = new WeakMap<SearchScope, Map<string, string | null>>()

/**
 * Replaces plain words that no chunk in scope contains by the closest one that some chunk does. Identifiers are kept.
 */
export function correctSpelling(index: IndexFile, scope: SearchScope, query: QueryTerms): QueryTerms {
  let left = mistypedWordsMax
  const terms = query.terms.map((term) => {
    const isPlain = query.words[term.word]?.isPlain === true
    if (!isPlain || left === 0 || isKnown(index, scope, term.term)) return term
    left--
    const closest = guessTerm(index, scope, term.term)
    return closest === null ? term : { ...term, term: closest, weight: mistypedWeight }
  })
  const known = new Map(terms.toReversed().map((term) => [term.term, term]))
  return { ...query, terms: terms.filter((term) => known.get(term.term) === term) }
}

function guessTerm(index: IndexFile, scope: SearchScope, term: string): string | null {
  const guesses = guessesByScope.get(scope) ?? new Map<string, string | null>()
  guessesByScope.set(scope, guesses)
  const known = guesses.get(term)
  if (known !== undefined) return known
  const closest = findClosestTerm(index, scope, term)
  if (guesses.size >= keptGuessesMax) guesses.clear()
  guesses.set(term, closest)
  return closest
}
