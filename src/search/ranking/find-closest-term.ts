import { foldWord } from '../../base/text-analysis/language-analysis.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { measureEndings, measureMisspelling } from './measure-misspelling.ts'
import { countVisible, type SearchScope } from './search-scope.ts'

/** Short words have too many neighbours, and so have the stems that are left of longer ones. */
const correctedCharsMin = 4
const twoErrorsCharsMin = 8
const longStemCharsMin = 6
const comparedTermsMax = 50_000
const lookedUpTermsMax = 20

/** Whether a chunk in scope contains the term. */
export function isKnown(index: IndexFile, scope: SearchScope, term: string): boolean {
  return countVisible(index, scope, term) > 0
}

/** How many errors a word of this length may have: two in words of eight letters and more. */
export function countErrorsMax({ length }: string): number {
  return length >= twoErrorsCharsMin ? 2 : length >= correctedCharsMin ? 1 : 0
}

/** A word that no chunk in scope contains. */
export interface MistypedWord {
  /** Its stem. */
  term: string
  /** As typed, lower case. */
  word: string
  language: string | null
  /** False for an identifier or a part of one, which has no endings. */
  isPlain: boolean
}

/**
 * The term in scope closest to a mistyped word, or null. The first letter must match, or be swapped with the second. The
 * most frequent term wins ties.
 */
export function findClosestTerm(
  index: IndexFile,
  scope: SearchScope,
  mistyped: MistypedWord,
  errorsMax: number,
): string | null {
  const { term, word, language, isPlain } = mistyped
  const isEnglish = isPlain && (language === null || /^en\b/i.test(language))
  // A mistyped end hides the stem from the stemmer, so in English the whole word is compared with stems.
  const typed = isEnglish ? foldWord(word) : term
  if (errorsMax === 0 || !/^\p{L}+$/u.test(typed)) return null
  const endings = isEnglish ? measureEndings(typed) : Array.from(typed, () => Infinity).concat(0)
  const candidates = listCandidates(index, typed, endings, errorsMax)
    .map((candidate) => ({ candidate, distance: measureMisspelling(typed, candidate, endings, errorsMax) }))
    .filter(({ candidate, distance }) => distance <= Math.min(errorsMax, countStemErrorsMax(candidate, typed)))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, lookedUpTermsMax)
    .map((entry) => ({ ...entry, count: countVisible(index, scope, entry.candidate) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.distance - other.distance || other.count - one.count)
  return candidates[0]?.candidate ?? null
}

function listCandidates(index: IndexFile, typed: string, endings: readonly number[], errorsMax: number): string[] {
  const shortest = Math.max(correctedCharsMin, endings.findIndex((errors) => errors <= errorsMax) - errorsMax)
  const list = (start: string) => index.listTerms(start, shortest, typed.length + errorsMax, comparedTermsMax)
  const near = new Set(typed.slice(1, 4))
  const isNear = (term: string) => near.has(term[1] ?? '') || near.has(term[2] ?? '')
  const swapped = list(`${typed[1]}${typed[0]}`)
  return [...list(typed.slice(0, 1)).filter(isNear), ...swapped].filter((term) => /^\p{L}+$/u.test(term))
}

/** An error in what is left of a short stem makes another word. */
function countStemErrorsMax(stem: string, typed: string): number {
  const rest = typed.length - stem.length
  if (stem.length >= longStemCharsMin) return Infinity
  return stem.length === correctedCharsMin && rest > 2 ? 0 : 1
}
