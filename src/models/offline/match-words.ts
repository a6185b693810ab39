import { analyzeQuery, analyzeText } from '../../base/text-analysis/analyze-text.ts'
import type { AskedWord } from './read-question.ts'
import { listRelatives } from '../../base/text-analysis/word-families.ts'

/** How strongly a text contains each asked word, 0 to 1, in the order of the words. */
export type WordMatches = Float64Array

/** Terms of a text, each once. */
export type TermSet = ReadonlySet<string>

/** How well a synonym fits. */
const familyStrength = 0.65
const prefixStrength = 0.75
/** Unrelated words share shorter prefixes, unless little follows. */
const prefixCharsMin = 6
const shortPrefix = { charsMin: 4, restMax: 2 }
const partsStrength = 0.9
/** Endings of two letters have a vowel: `postgr` is no form of `post`. */
const isEnding = /^.$|[aeiouy]/

export function listTerms(text: string, language: string | null): TermSet {
  return new Set(analyzeText(text, language).map(({ term }) => term))
}

/** Without function words, so that a heading that is a question is comparable with one that is not. */
export function listTellingTerms(text: string, language: string | null): TermSet {
  return new Set(analyzeQuery(text, language).flatMap(({ wholes, parts }) => [...wholes, ...parts]))
}

/**
 * Determines once, for all texts of one question, which of their terms match which asked word: the same stem, a longer or
 * shorter form (`config`, `configuration`), or a synonym in documentation.
 */
export class WordMatcher {
  readonly #words: readonly AskedWord[]
  readonly #siteName: TermSet
  /** By word and part: terms of the texts and how well they fit. */
  readonly #fits: readonly (readonly Map<string, number>[])[]
  readonly #fitting: ReadonlySet<string>

  /** @param siteName Terms that a heading may have besides what is asked for: "Install Docent" is about installing. */
  constructor(words: readonly AskedWord[], vocabulary: TermSet, siteName: TermSet = new Set()) {
    this.#words = words
    this.#siteName = siteName
    this.#fits = words.map(({ parts }) => parts.map((part) => findFits(part, vocabulary)))
    this.#fitting = new Set([
      ...words.flatMap(({ wholes }) => wholes),
      ...this.#fits.flat().flatMap((fit) => [...fit.keys()]),
    ])
  }

  match(terms: TermSet): WordMatches {
    const matches = new Float64Array(this.#words.length)
    this.#words.forEach((word, index) => (matches[index] = this.#matchWord(word, this.#fits[index] ?? [], terms)))
    return matches
  }

  /** Fraction of `terms` that match any word of the question, not counting others of the site's name; 0 if there are none. */
  share(terms: TermSet): number {
    let [count, total] = [0, 0]
    for (const term of terms) {
      const isFitting = this.#fitting.has(term)
      if (isFitting) count++
      if (isFitting || !this.#siteName.has(term)) total++
    }
    return total === 0 ? 0 : count / total
  }

  #matchWord({ wholes }: AskedWord, fits: readonly Map<string, number>[], terms: TermSet): number {
    if (wholes.some((whole) => terms.has(whole))) return 1
    if (fits.length === 0) return 0
    let sum = 0
    for (const fit of fits) sum += bestFit(fit, terms)
    const share = sum / fits.length
    return wholes.length > 0 ? share * partsStrength : share
  }
}

function findFits(part: string, vocabulary: TermSet): Map<string, number> {
  const fits = new Map<string, number>()
  for (const relative of listRelatives(part)) if (vocabulary.has(relative)) fits.set(relative, familyStrength)
  const first = part.charCodeAt(0)
  for (const term of vocabulary) {
    if (term.charCodeAt(0) === first && sharesPrefix(term, part)) fits.set(term, prefixStrength)
  }
  if (vocabulary.has(part)) fits.set(part, 1)
  return fits
}

function sharesPrefix(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (!long.startsWith(short)) return false
  const rest = long.slice(short.length)
  if (short.length >= shortPrefix.charsMin && rest.length <= shortPrefix.restMax && isEnding.test(rest)) return true
  return short.length >= prefixCharsMin && short.length * 2.5 >= long.length
}

function bestFit(fits: ReadonlyMap<string, number>, terms: TermSet): number {
  let best = 0
  for (const [term, fit] of fits) if (fit > best && terms.has(term)) best = fit
  return best
}
