import { countErrorsMax, findClosestTerm, isKnown, type MistypedWord } from './find-closest-term.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import type { QueryTerm, QueryTerms } from '../query-terms.ts'
import type { SearchScope } from './search-scope.ts'
import { splitCompound } from './split-compound.ts'

const mistypedWordsMax = 3
/** A correction counts less than an exact match. */
const mistypedWeight = 0.7

/** Bounds cost: queries repeat words that a site lacks, and comparing one with all terms is expensive. */
const keptGuessesMax = 5_000
const guessesByScope = new WeakMap<SearchScope, Map<string, readonly string[]>>()

/**
 * Replaces words that no chunk in scope contains by the closest one that some chunk does, or by the words that they
 * consist of. Names are kept.
 */
export function correctSpelling(
  index: IndexFile,
  scope: SearchScope,
  query: QueryTerms,
  language: string | null,
): QueryTerms {
  const mistyped = new Set<number>()
  const terms = query.terms.flatMap((term) => {
    const word = query.words[term.word]
    if (word === undefined || word.kind === 'name' || isKnown(index, scope, term.term)) return [term]
    if (mistyped.add(term.word).size > mistypedWordsMax) return [term]
    const isPlain = word.kind === 'plain'
    const surface = isPlain ? word.surface.toLowerCase() : term.term
    const meant = guessTerms(index, scope, { term: term.term, word: surface, language, isPlain })
    return meant.length === 0 ? [term] : meant.map((one, place) => correctTerm(term, one, place === meant.length - 1))
  })
  const known = new Map(terms.toReversed().map((term) => [term.term, term]))
  return { ...query, terms: terms.filter((term) => known.get(term.term) === term) }
}

/** Compounds are named by their last word, as identifiers are. */
function correctTerm(typed: QueryTerm, term: string, isLast: boolean): QueryTerm {
  return { ...typed, term, typed: typed.term, weight: mistypedWeight, naming: isLast ? typed.naming : typed.naming / 2 }
}

function guessTerms(index: IndexFile, scope: SearchScope, mistyped: MistypedWord): readonly string[] {
  const guesses = guessesByScope.get(scope) ?? new Map<string, readonly string[]>()
  guessesByScope.set(scope, guesses)
  const known = guesses.get(mistyped.word)
  if (known) return known
  const terms = makeGuess(index, scope, mistyped)
  if (guesses.size >= keptGuessesMax) guesses.clear()
  guesses.set(mistyped.word, terms)
  return terms
}

/** One error is likelier than a missing space, which is likelier than two errors. */
function makeGuess(index: IndexFile, scope: SearchScope, mistyped: MistypedWord): readonly string[] {
  const { word, language, isPlain } = mistyped
  const errorsMax = countErrorsMax(word)
  const near = findClosestTerm(index, scope, mistyped, Math.min(1, errorsMax))
  if (near !== null) return [near]
  const split = isPlain ? splitCompound(index, scope, word, language) : null
  if (split !== null) return split
  const far = errorsMax < 2 ? null : findClosestTerm(index, scope, mistyped, errorsMax)
  return far === null ? [] : [far]
}
