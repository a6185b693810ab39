import { analyzeQueryWords, type QueryWord } from '../../base/text-analysis/analyze-text.ts'
import { holdsFact, holdsPlain, toPlain, withoutLinkTargets } from './exact-facts.ts'
import { isNegated, type PassageText, type PassageUnit, type PassageWindow } from './passage-text.ts'

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
  /** Its exact statements, as `listFacts` lists them. */
  facts: readonly string[]
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

/**
 * Finds the passages that a sentence rests on: one that says it word for word, else those that contain its exact facts
 * and enough of its telling words. Pure.
 *
 * @returns At most three, best first; empty if it rests on none.
 */
export function findGrounds({ sentence, facts, passages, claims }: GroundsInput): Ground[] {
  const plain = toPlainSentence(sentence)
  // An empty text would match at every position.
  if (plain === '') return []
  if (facts.length === 0 && plain.split(' ', wordsMin).length < wordsMin) return []
  const claimed = claims.flatMap((index) => passages[index] ?? [])
  const ordered = claimed.length === 0 ? passages : [...new Set([...claimed, ...passages])]
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
  const prose = facts.reduce((text, fact) => text.replaceAll(fact, ' '), withoutLinkTargets(sentence))
  const weighed = weighWords(
    analyzeQueryWords(prose, language).filter(({ isStopWord }) => !isStopWord),
    passages,
  )
  const wanted = facts.map((fact) => ({ fact, plain: toPlain(fact) }))
  const saysNot = isNegated([plain])
  let placed: SaidWords | null = null
  return passages.flatMap((text, index) => {
    const isClaimed = claimed.has(text)
    // No part of it covers more than all of it, and without facts only a whole ground counts.
    const least = facts.length > 0 ? shares.part : isClaimed ? shares.claimed : shares.withoutFacts
    if ((weighed.scores[index] ?? 0) < least) return []
    const held = wanted.filter((fact) => holdsPlain(text.plain, fact.plain))
    if (facts.length > 0 && held.length === 0) return []
    // Most sentences of a model rest on none of the passages.
    const said = (placed ??= placeTerms(weighed))
    const known = coverTerms(said, text.terms)
    const covers = text.units.map((unit) => coverUnit(said, unit, known))
    const best = text.windows
      .filter(({ isNegated }) => saysNot === isNegated)
      .map((window) => rateWindow(window, { said, covers, held }))
      .reduce(better, null)
    if (best === null || best.score < shares.part || isByChance(best, said, facts)) return []
    return [{ ...focus(best), sharedWords: best.sharedWords, text, isClaimed }]
  })
}

/** One fact may occur anywhere, but several are hardly ever side by side by chance. */
function isByChance({ sharedWords, facts: held }: Rated, said: SaidWords, facts: readonly string[]): boolean {
  return sharedWords === 0 && said.words.length > 0 && (held.size < 2 || held.size < facts.length)
}

/** Words of a sentence with their weights, and the sum of these. */
interface WeighedWords {
  words: readonly (Pick<QueryWord, 'wholes' | 'parts'> & { weight: number })[]
  all: number
  /** By passage: weighted share of the words that it contains anywhere, 0 to 1, which is 1 without any. */
  scores: Float64Array
}

/** Terms are indexes into `terms`. */
interface SaidWords extends Pick<WeighedWords, 'all'> {
  terms: readonly string[]
  words: readonly { wholes: readonly number[]; parts: readonly number[]; weight: number }[]
}

/** By term of a sentence: whether something contains it, by the bits below. */
type Cover = Uint8Array

const own = 1
const context = 2

interface Fact {
  fact: string
  /** As `toPlain` writes it. */
  plain: string
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
function weighWords(words: readonly QueryWord[], passages: readonly PassageText[]): WeighedWords {
  const scores = new Float64Array(passages.length)
  const isHolder = new Uint8Array(passages.length)
  let all = 0
  const weighed = words.map(({ wholes, parts }) => {
    let holders = 0
    for (let index = 0; index < passages.length; index++) {
      const holds = Number(isAmong((passages[index] as PassageText).terms, wholes, parts))
      isHolder[index] = holds
      holders += holds
    }
    const weight = Math.log(1 + passages.length / Math.max(1, holders))
    all += weight
    if (holders > 0)
      for (const [index, holds] of isHolder.entries()) scores[index] = (scores[index] ?? 0) + holds * weight
    return { wholes, parts, weight }
  })
  return { words: weighed, all, scores: scores.map((sum) => (all === 0 ? 1 : sum / all)) }
}

function placeTerms({ words, all }: WeighedWords): SaidWords {
  const places = new Map<string, number>()
  const placeOf = (term: string) => {
    const place = places.get(term) ?? places.size
    places.set(term, place)
    return place
  }
  const placed = words.map(({ wholes, parts, weight }) => {
    return { wholes: wholes.map(placeOf), parts: parts.map(placeOf), weight }
  })
  return { terms: [...places.keys()], words: placed, all }
}

/** Loops, because each word of an answer is looked up in each passage: callbacks take twice the time. */
function isAmong(terms: ReadonlySet<string>, wholes: readonly string[], parts: readonly string[]): boolean {
  for (const term of wholes) if (terms.has(term)) return true
  for (const term of parts) if (!terms.has(term)) return false
  return parts.length > 0
}

function coverTerms({ terms }: SaidWords, known: ReadonlySet<string>): Cover {
  const cover = new Uint8Array(terms.length)
  for (let place = 0; place < cover.length; place++) if (known.has(terms[place] as string)) cover[place] = own
  return cover
}

/** @param known The terms of its whole passage: most words of a sentence are in none of its units. */
function coverUnit({ terms }: SaidWords, { terms: inUnit, block }: PassageUnit, known: Cover): Cover {
  const cover = new Uint8Array(terms.length)
  for (let place = 0; place < cover.length; place++) {
    const term = terms[place] as string // As many as the cover has.
    if (known[place] === own) cover[place] = (inUnit.has(term) ? own : 0) | (block.context.has(term) ? context : 0)
  }
  return cover
}

function isCovered({ wholes, parts }: SaidWords['words'][number], cover: Cover, bits: number): boolean {
  for (const place of wholes) if (((cover[place] ?? 0) & bits) !== 0) return true
  for (const place of parts) if (((cover[place] ?? 0) & bits) === 0) return false
  return parts.length > 0
}

interface WindowInput {
  said: SaidWords
  /** By unit. */
  covers: readonly Cover[]
  held: readonly Fact[]
}

function rateWindow({ units, first }: PassageWindow, { said, covers, held }: WindowInput): Rated {
  const facts = new Set<string>()
  for (const { fact, plain } of held) if (units.some((unit) => holdsPlain(unit.plain, plain))) facts.add(fact)
  const cover = units.length === 1 ? (covers[first] as Cover) : joinCovers(covers, first, first + units.length) // One for each unit.
  const { sharedWords } = rateWords(said, cover, own)
  // A longer window shares more by chance.
  const score = rateWords(said, cover, own | context).score - 0.02 * (units.length - 1)
  return { units, facts, score, sharedWords }
}

function joinCovers(covers: readonly Cover[], start: number, end: number): Cover {
  return covers.slice(start, end).reduce((one, other) => one.map((bits, place) => bits | (other[place] ?? 0)))
}

/** Weighted share of the covered words, 0 to 1, which is 1 without any; and their number. */
function rateWords({ words, all }: SaidWords, cover: Cover, bits: number): { score: number; sharedWords: number } {
  let sum = 0
  let sharedWords = 0
  for (const word of words) {
    if (!isCovered(word, cover, bits)) continue
    sum += word.weight
    sharedWords++
  }
  return { score: all === 0 ? 1 : sum / all, sharedWords }
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
