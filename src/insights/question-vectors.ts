import { analyzeQuery } from '../base/text-analysis/analyze-text.ts'
import { guessOtherLanguage } from '../base/text-analysis/guess-language.ts'
import { listEnglishTerms, translateToEnglish } from '../base/text-analysis/translate-to-english.ts'
import { listRelatives } from '../base/text-analysis/word-families.ts'

/** What a question is compared by. */
export interface ComparedQuestion {
  text: string
  /** Addresses of the sections that its answer cites, best first. */
  sections?: readonly string[] | undefined
  /** Addresses of the pages that were found for it, best first. */
  pages?: readonly string[] | undefined
}

export type Vector = Map<string, number>

/** Weights by term, and the word of each as written. */
interface Terms {
  weights: Map<string, number>
  surfaces: Map<string, string>
}

// Chosen on the tuning half of the sample behind `npm run bench -- topics`.
const shares = { pages: 0.5, sections: 0.6, address: 0.6, relative: 0.5, pair: 1.2, weak: 0.6, once: 0.3, aim: 0.6 }
/** Say what a reader wants to do, and little about what with. */
const weakWords = new Set(
  'use using set setup get make work run need want possible way help find change add create enable config configure setting have long many support own'.split(
    ' ',
  ),
)
/** What a reader wants to do: "create a key" is another topic than "revoke a key", although all else is the same. */
const aims: readonly RegExp[] = [
  /^(?:creat|add|mak|new$|generat|issu)/,
  /^(?:delet|remov|revok|disabl|off$|leak|cancel|stop|end$|unsubscri)/,
  /^(?:restor|bring|recover|undo|rollback|revert|reopen)/,
  /^(?:rotat|replac|renew|swap)/,
  /^(?:chang|edit|renam|updat|modif|upgrad)/,
  /^(?:paus|suspend|resum)/,
  /^(?:error|fail|wrong|refus|broken|mean|already)/,
  /^(?:long|often|time|retention|expir|arriv)/,
]
/** The fewer of these there are, the more a word that occurs once counts. */
const fewQuestions = 40
const wordsMax = 24
/** In scripts without spaces, a word has as many terms as characters. */
const termsMax = 64
const shownCharsMax = 60
const pagesMax = 6
const correctedCharsMin = 5
const correctedCharsMax = 24
const translatedCharsMin = 4
const triedLanguages = ['de', 'fr', 'es']

/**
 * Makes unit vectors of questions, so that the scalar product of two says how alike they are, from 0 to 1: by stems,
 * synonyms and pairs of words, and by the pages that were found. Unknown words are taken for translations or typing
 * errors of words that other questions use. Time is linear in the number of questions. Pure.
 *
 * @returns In the order of the questions; `surfaces` maps terms to words as written.
 */
export function makeQuestionVectors(questions: readonly ComparedQuestion[]): {
  vectors: Vector[]
  surfaces: Map<string, string>[]
} {
  const terms = questions.map(({ text }) => readTerms(text))
  const texts = questions.map(({ text }) => text)
  joinSplitWords(texts, terms)
  translateRareWords(texts, terms)
  correctRareWords(terms)
  const pages = questions.map(weighPages)
  const ofTerm = weighRarity(terms.map(({ weights }) => weights))
  const ofPage = weighRarity(pages)
  const vectors = terms.map(({ weights }, index) => {
    const found = pages[index] ?? new Map<string, number>()
    const words = toUnit(weighTerms(weights, found, ofTerm), 1)
    const places = [...found].map(([page, weight]) => [`§${page}`, weight * ofPage(page)] as const)
    return toUnit(new Map([...words, ...toUnit(new Map(places), shares.pages)]), 1)
  })
  return { vectors, surfaces: terms.map(({ surfaces }) => surfaces) }
}

function readTerms(text: string): Terms {
  const language = guessOtherLanguage(text)
  const words = analyzeQuery(language === null ? text : translateToEnglish(text, language), null, wordsMax)
  const terms: Terms = { weights: new Map(), surfaces: new Map() }
  for (const { surface, wholes, parts } of words) {
    const written = surface.toLowerCase()
    for (const term of [...wholes, ...parts].slice(0, termsMax - terms.weights.size)) {
      terms.weights.set(term, Math.max(terms.weights.get(term) ?? 0, weakWords.has(written) ? shares.weak : 1))
      if (!terms.surfaces.has(term)) terms.surfaces.set(term, written.slice(0, shownCharsMax))
    }
  }
  const single = [...terms.weights.keys()]
  const written = words.map(({ surface }) => surface.toLowerCase())
  aims.forEach((aim, index) => {
    if (written.some((word) => aim.test(word))) terms.weights.set(`!${index}`, shares.aim)
  })
  single.slice(1).forEach((term, index) => terms.weights.set(`${single[index]} ${term}`, shares.pair))
  if (single.length > 0) return terms
  const only = text.trim().toLowerCase()
  return { weights: new Map([[only, 1]]), surfaces: new Map([[only, only.slice(0, shownCharsMax)]]) }
}

/** `roll back` is `rollback` where other questions write it so. */
function joinSplitWords(texts: readonly string[], terms: readonly Terms[]): void {
  const known = countTerms(terms.map(({ weights }) => weights))
  texts.forEach((text, index) => {
    const words =
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.slice(0, wordsMax) ?? []
    words.slice(1).forEach((word, before) => {
      const joined = stemOf(`${words[before]}${word}`)
      if (joined.length < correctedCharsMin || !known.has(joined)) return
      const { weights } = terms[index] ?? { weights: new Map<string, number>() }
      if (!weights.has(joined)) weights.set(joined, 1)
    })
  })
}

/** Questions of two or three words do not show their language otherwise. */
function translateRareWords(texts: readonly string[], terms: readonly Terms[]): void {
  const counts = countTerms(terms.map(({ weights }) => weights))
  texts.forEach((text, index) => {
    const { weights } = terms[index] ?? { weights: new Map<string, number>() }
    for (const word of text.match(/\p{L}+/gu)?.slice(0, wordsMax) ?? []) {
      const own = stemOf(word)
      if (word.length < translatedCharsMin || counts.get(own) !== 1) continue
      const english = triedLanguages
        .flatMap((language) => listEnglishTerms(word, language))
        .flatMap((each) => each.split(' '))
      const known = english.map(stemOf).filter((term) => term !== own && counts.has(term))
      if (known.length > 0) weights.delete(own)
      for (const term of known) weights.set(term, 1)
    }
  })
}

/** Two words are one typing error apart if they are equal but for one letter of each, or of one of them. */
function correctRareWords(terms: readonly Terms[]): void {
  const counts = countTerms(terms.map(({ weights }) => weights))
  const isWord = (term: string) =>
    term.length >= correctedCharsMin && term.length <= correctedCharsMax && /^\p{L}+$/u.test(term)
  const common = [...counts].filter(([term, count]) => count > 1 && isWord(term))
  common.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const byForm = new Map<string, string>()
  for (const [term] of common) for (const form of listForms(term)) if (!byForm.has(form)) byForm.set(form, term)
  for (const { weights } of terms) {
    for (const [term, weight] of Array.from(weights)) {
      if (counts.get(term) !== 1 || !isWord(term)) continue
      const meant = listForms(term).flatMap((form) => byForm.get(form) ?? [])[0]
      if (meant === undefined) continue
      weights.delete(term)
      weights.set(meant, weight)
    }
  }
}

function listForms(word: string): string[] {
  return [word, ...Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))]
}

function stemOf(word: string): string {
  const [first] = analyzeQuery(word, null, 1)
  return first?.wholes[0] ?? first?.parts[0] ?? ''
}

function weighPages({ sections = [], pages = [] }: ComparedQuestion): Map<string, number> {
  const weights = new Map<string, number>()
  const places = new Set(sections)
  for (const [rank, section] of [...places].slice(0, pagesMax).entries())
    weights.set(section, shares.sections / (1 + rank))
  for (const [rank, page] of pages.slice(0, pagesMax).entries()) {
    weights.set(page, Math.max(weights.get(page) ?? 0, 1 / (1 + rank)))
  }
  return weights
}

/** The address of the best page names the subject, even if the question does not. */
function weighTerms(
  own: ReadonlyMap<string, number>,
  pages: ReadonlyMap<string, number>,
  rarityOf: (term: string) => number,
): Vector {
  const weights: Vector = new Map()
  const raise = (term: string, weight: number) => {
    if (rarityOf(term) > 0) weights.set(term, Math.max(weights.get(term) ?? 0, weight * rarityOf(term)))
  }
  for (const [term, weight] of own) {
    raise(term, weight)
    for (const relative of listRelatives(term)) if (!own.has(relative)) raise(relative, shares.relative * weight)
  }
  const [best] = [...pages].sort(([, one], [, other]) => other - one)
  const words = best?.[0].replace(/^.*?:\/\/[^/]*/, '').replace(/[^\p{L}\p{N}]+/gu, ' ')
  for (const [term, weight] of words?.trim() ? readTerms(words).weights : []) {
    if (!term.includes(' ')) raise(term, shares.address * weight * (best?.[1] ?? 0))
  }
  return weights
}

function countTerms(all: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const weights of all) for (const term of weights.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/**
 * A word that occurs once joins no questions, and must not keep one from those with which it shares others. Among few
 * questions, it still distinguishes them.
 */
function weighRarity(all: readonly ReadonlyMap<string, number>[]): (term: string) => number {
  const counts = countTerms(all)
  const once = Math.max(shares.once, 1 - all.length / fewQuestions)
  return (term) => {
    const count = counts.get(term) ?? 0
    return count === 0 ? 0 : (count === 1 ? once : 1) * Math.sqrt(Math.log(1 + all.length / count))
  }
}

function toUnit(weights: Vector, length: number): Vector {
  const own = Math.hypot(...weights.values())
  return new Map([...weights].map(([term, weight]) => [term, own === 0 ? 0 : (weight / own) * length]))
}
