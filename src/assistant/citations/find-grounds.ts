import { analyzeQueryWords, type QueryWord } from '../../base/text-analysis/analyze-text.ts'
import { holdsFact, listFacts, toPlain } from './exact-facts.ts'
import type { PassageText, PassageUnit } from './passage-text.ts'

/** What a sentence of an answer rests on. */
export interface Ground {
  text: PassageText
  /** Consecutive units of one block. */
  units: readonly PassageUnit[]
  /** Those of the sentence's facts that the units contain. */
  facts: ReadonlySet<string>
}

export interface GroundsInput {
  /** Markdown of the sentence, code block, item or row. */
  sentence: string
  /** In the order in which the model read them. */
  passages: readonly PassageText[]
  /** Those that the model names for the sentence: indexes into `passages`. They are believed only if they hold it. */
  claims: readonly number[]
}

const groundsMax = 3
/** Shorter sentences say nothing of their own, unless they state a fact. */
const wordsMin = 4
/** Least weighted share of a sentence's words in the units that it is to rest on. */
const shares = {
  withFacts: 0.5,
  withSomeFacts: 0.65,
  withoutFacts: 0.65,
  claimed: 0.5,
  part: 0.25,
  together: 0.7,
} as const
/** Words that a sentence without facts must share with them. */
const sharedWordsMin = 3
const negation = /(?<!\p{L})(?:not|never|no|none|neither|nor|cannot|without)(?!\p{L})|n['’]t(?!\p{L})/u

/**
 * Finds the passages that a sentence rests on: one that says it word for word, else those that contain its exact facts
 * and enough of its telling words. Pure.
 *
 * @returns At most three, best first; empty if it rests on none.
 */
export function findGrounds({ sentence, passages, claims }: GroundsInput): Ground[] {
  const facts = listFacts(sentence)
  const plain = toPlainSentence(sentence)
  if (facts.length === 0 && plain.split(' ').length < wordsMin) return []
  const claimed = claims.flatMap((index) => passages[index] ?? [])
  const ordered = [...new Set([...claimed, ...passages])]
  for (const text of ordered) {
    const units = text.findVerbatim(plain)
    // A part of a sentence may say the opposite.
    if (units !== null && isNegated([plain]) === isNegated(units.map((unit) => unit.plain)))
      return [{ text, units, facts: new Set(facts) }]
  }
  const candidates = rateAll({ sentence, plain, facts, passages: ordered, claimed: new Set(claimed) })
  return chooseGrounds(candidates, facts)
}

/** Without the marks of code blocks, lists and quotations. */
function toPlainSentence(sentence: string): string {
  const code = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?[ \t>]*(?:\1[`~]*)?\s*$/.exec(sentence)
  return toPlain(code === null ? sentence : (code[2] ?? ''))
}

interface Candidate extends Ground, Pick<Rated, 'score' | 'sharedWords'> {
  isClaimed: boolean
}

interface RateInput {
  sentence: string
  plain: string
  facts: readonly string[]
  passages: readonly PassageText[]
  claimed: ReadonlySet<PassageText>
}

function rateAll({ sentence, plain, facts, passages, claimed }: RateInput): Candidate[] {
  const language = passages[0]?.passage.language ?? null
  // Facts are looked up as such.
  const prose = facts.reduce((text, fact) => text.replaceAll(fact, ' '), sentence)
  const words = analyzeQueryWords(prose, language).filter(({ isStopWord }) => !isStopWord)
  const weights = words.map((word) => weigh(word, passages))
  const said: SaidWords = { words, weights, all: weights.reduce((sum, weight) => sum + weight, 0) }
  const saysNot = isNegated([plain])
  return passages.flatMap((text) => {
    const held = facts.filter((fact) => holdsFact(text.plain, fact))
    if (facts.length > 0 && held.length === 0) return []
    if (share(said, (term) => text.terms.has(term)) < shares.part) return []
    const windows = listWindows(text.units).filter(
      (units) => saysNot === isNegated(units.map((unit) => unit.plain)),
    )
    const best = windows.map((units) => rateUnits(units, said, held)).reduce(better, null)
    if (best === null || best.score < shares.part || (best.sharedWords === 0 && words.length > 0)) return []
    return [{ ...focus(best), sharedWords: best.sharedWords, text, isClaimed: claimed.has(text) }]
  })
}

function isNegated(texts: readonly string[]): boolean {
  return texts.some((text) => negation.test(text))
}

/** Words of a sentence with their weights, and the sum of these. */
interface SaidWords {
  words: readonly QueryWord[]
  weights: readonly number[]
  all: number
}

interface Rated {
  units: readonly PassageUnit[]
  facts: ReadonlySet<string>
  score: number
  sharedWords: number
}

function better(best: Rated | null, next: Rated): Rated {
  if (best === null || next.facts.size > best.facts.size) return next
  return next.facts.size === best.facts.size && next.score > best.score ? next : best
}

/** Rare words of the passages tell more than those that all of them contain. */
function weigh(word: QueryWord, passages: readonly PassageText[]): number {
  const count = passages.filter(({ terms }) => isCovered(word, (term) => terms.has(term))).length
  return Math.log(1 + passages.length / Math.max(1, count))
}

/** Single units, and pairs of neighbours under one heading. */
function listWindows(units: readonly PassageUnit[]): PassageUnit[][] {
  return units.flatMap((unit, index) => {
    const next = units[index + 1]
    const isPair = next !== undefined && next.block.headings === unit.block.headings && !unit.block.isTable
    return isPair ? [[unit], [unit, next]] : [[unit]]
  })
}

function rateUnits(units: readonly PassageUnit[], said: SaidWords, held: readonly string[]): Rated {
  const isOwn = (term: string) => units.some((unit) => unit.terms.has(term))
  const isKnown = (term: string) => isOwn(term) || units.some(({ block }) => block.context.has(term))
  const facts = new Set(held.filter((fact) => units.some(({ plain }) => holdsFact(plain, fact))))
  const sharedWords = said.words.filter((word) => isCovered(word, isOwn)).length
  // A longer window shares more by chance.
  return { units, facts, score: share(said, isKnown) - 0.02 * (units.length - 1), sharedWords }
}

/** Weighted share of the words, 0 to 1; 1 without any. */
function share({ words, weights, all }: SaidWords, has: (term: string) => boolean): number {
  if (all === 0) return 1
  return words.reduce((sum, word, index) => sum + (isCovered(word, has) ? (weights[index] ?? 0) : 0), 0) / all
}

function isCovered({ wholes, parts }: QueryWord, has: (term: string) => boolean): boolean {
  return wholes.some(has) || (parts.length > 0 && parts.every(has))
}

/** A quote lies in one block: the one with most of the facts. */
function focus({ units, facts, score }: Rated): Pick<Candidate, 'units' | 'facts' | 'score'> {
  const count = (unit: PassageUnit) => [...facts].filter((fact) => holdsFact(unit.plain, fact)).length
  const first = units.toSorted((a, b) => count(b) - count(a))[0]
  return { units: units.filter(({ block }) => block === first?.block), facts, score }
}

/** Those that hold the sentence, claimed ones first, and others for the facts that they lack. */
function chooseGrounds(candidates: readonly Candidate[], facts: readonly string[]): Ground[] {
  const ordered = candidates.toSorted(compare)
  const chosen: Candidate[] = []
  const missing = new Set(facts)
  for (const next of [...ordered.filter((each) => isEnough(each, facts)), ...ordered]) {
    if (chosen.includes(next) || chosen.length === groundsMax) continue
    const adds = [...next.facts].some((fact) => missing.has(fact))
    if (!adds && !(isEnough(next, facts) && (next.isClaimed || chosen.length === 0))) continue
    chosen.push(next)
    for (const fact of next.facts) missing.delete(fact)
  }
  if (chosen.some((each) => isEnough(each, facts))) return chosen
  const score = chosen.reduce((sum, each) => sum + each.score, 0)
  return missing.size === 0 && score >= shares.together ? chosen : []
}

function isEnough({ facts, score, sharedWords, isClaimed }: Candidate, all: readonly string[]): boolean {
  if (all.length === 0) {
    return sharedWords >= sharedWordsMin && score >= (isClaimed ? shares.claimed : shares.withoutFacts)
  }
  // Half of what a sentence states says little about the rest.
  if (facts.size * 2 < all.length) return false
  return score >= (facts.size === all.length || isClaimed ? shares.withFacts : shares.withSomeFacts)
}

function compare(a: Candidate, b: Candidate): number {
  return Number(b.isClaimed) - Number(a.isClaimed) || b.facts.size - a.facts.size || b.score - a.score
}
