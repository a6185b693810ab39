import { analyzeText } from '../../base/text-analysis/analyze-text.ts'
import type { AskedWord } from './read-question.ts'

/** How strongly a text holds each asked word, 0 to 1, in the order of the words. */
export type WordMatches = Float64Array

/** Terms of a text, each once. */
export type TermSet = ReadonlySet<string>

/** Groups of English words that documentation uses for one another. Matched by stem; a word stands for the others in part. */
const families =
  `delete remove uninstall erase|install setup installation|price cost pricing billing fee charge|subscription plan|ci pipeline|prompt question ask|return respond response answer reply|require required need needs necessary prerequisite|fix mend repair solve resolve|signin login
  authenticate authentication authorization auth|error fail failure failed problem issue crash troubleshoot wrong|change
  update edit modify alter customize customise|create add new make|limit maximum max quota cap most|minimum min least|begin
  start launch run|stop disable off deactivate|enable on activate|repository repo|directory folder|configuration config
  configure settings setting|parameter argument option flag|environment env|database db|documentation docs|token key
  credential secret|organization organisation team workspace|member user people teammate|release version|deploy deployment
  publish|email mail|website site|upgrade migrate migration|restore recover|backup snapshot|colour color|picture image logo
  photo|host hosting self-host|rename move|allowed permitted permission|expire expiry lifetime valid|undo revert rollback|
  log logs logging|test testing tests|download export|upload import|show display view see|invite add|interval often every
  frequency`
    .split('|')
    .map(
      (family) =>
        new Set(
          family
            .trim()
            .split(/\s+/)
            .flatMap((word) => analyzeText(word, 'en').map(({ term }) => term)),
        ),
    )

const familyStrength = 0.7
const prefixStrength = 0.75
/** Shorter beginnings are shared by words that have nothing to do with each other. */
const prefixCharsMin = 4
const partsStrength = 0.9

export function listTerms(text: string, language: string | null): TermSet {
  return new Set(analyzeText(text, language).map(({ term }) => term))
}

/**
 * Finds out once, for all texts of one question, which of their terms stand for which asked word: the same stem, a
 * longer or shorter form of it (`config`, `configuration`), or a word that documentation uses in its place.
 */
export class WordMatcher {
  readonly #words: readonly AskedWord[]
  /** By word and part: terms of the texts and how well they fit. */
  readonly #fits: readonly (readonly Map<string, number>[])[]
  readonly #fitting: ReadonlySet<string>

  constructor(words: readonly AskedWord[], vocabulary: Iterable<string>) {
    const terms = [...vocabulary]
    this.#words = words
    this.#fits = words.map(({ parts }) => parts.map((part) => findFits(part, terms)))
    this.#fitting = new Set([
      ...words.flatMap(({ wholes }) => wholes),
      ...this.#fits.flat().flatMap((fit) => [...fit.keys()]),
    ])
  }

  match(terms: TermSet): WordMatches {
    return Float64Array.from(this.#words, (word, index) => this.#matchWord(word, this.#fits[index] ?? [], terms))
  }

  /** The share of the terms that stand for an asked word. */
  share(terms: TermSet): number {
    if (terms.size === 0) return 0
    let count = 0
    for (const term of terms) if (this.#fitting.has(term)) count++
    return count / terms.size
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

function findFits(part: string, vocabulary: readonly string[]): Map<string, number> {
  const relatives = families.filter((family) => family.has(part))
  const fits = new Map<string, number>()
  for (const term of vocabulary) {
    if (term === part) fits.set(term, 1)
    else if (sharesPrefix(term, part)) fits.set(term, prefixStrength)
    else if (relatives.some((family) => family.has(term))) fits.set(term, familyStrength)
  }
  return fits
}

function sharesPrefix(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= prefixCharsMin && short.length * 2.5 >= long.length && long.startsWith(short)
}

function bestFit(fits: ReadonlyMap<string, number>, terms: TermSet): number {
  let best = 0
  for (const [term, fit] of fits) if (fit > best && terms.has(term)) best = fit
  return best
}
