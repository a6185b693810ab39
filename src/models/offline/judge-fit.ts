import { escapePattern } from '../../base/escape-pattern.ts'
import { scoreWordCoverage } from './choose-quotes.ts'
import { nearScoreMin } from './answer-about-page.ts'
import { holdsForm } from './holds-form.ts'
import type { Quote } from './list-quotes.ts'
import type { TermSet, WordMatcher, WordMatches } from './match-words.ts'
import { type AskedWord, isUnspaced, type Question } from './read-question.ts'
import { hasAmount, listVocabulary, type ReadPassage, type ScoredPart } from './score-parts.ts'
import { listRelatives } from '../../base/text-analysis/word-families.ts'

export interface FitInput {
  question: Question
  passages: readonly ReadPassage[]
  /** Best first. */
  quotes: readonly Quote[]
  matcher: WordMatcher
  /** Every term of the passages. */
  vocabulary: TermSet
  /** Terms of the instructions, such as the site's name. */
  known: TermSet
  /** How many passages the whole site has; null if unknown. */
  sitePassages: number | null
  /** The reader asks about one page, whose passages these are, so that it need not be found out what page is meant. */
  isAboutPage: boolean
}

export interface Fit {
  /**
   * `supported`: one part of the best quote contains what was asked. `partial`: it may be about something else.
   * `nearest-page`: none answers, though no name is missing. `unanswered`: a name is missing, or nothing was found.
   */
  verdict: 'supported' | 'partial' | 'nearest-page' | 'unanswered'
  /** Names of the question that no passage contains, as typed. */
  missing: string[]
  /** Telling words that no passage contains in any form, as typed. */
  unmentioned: string[]
}

/** A whole identifier, most of its parts, a longer form of it, or a synonym. */
const nameMatchMin = 0.62
const wordMatchMin = 0.5
/** A name counts less if only a heading or the title contains it; half of a compound name does not count. */
const heldNameMin = 0.5
/**
 * Chosen on all answer sets: lower thresholds answer more of the questions that no page answers, at first only of those
 * that lie close by. In unspaced scripts, pairs of characters also span meaningless words.
 */
const fitMin = { small: 0.48, large: 0.63, unknown: 0.47, unspaced: 0.36 }
/** A page explains an error in its own words, and rarely quotes all of its message. */
const pastedAllowance = 0.2
/**
 * Score of the search from which on a page is about a pasted error. Words of one product's errors are on any page of another: of 418
 * errors that were asked about other sites, 184 were answered without this and 35 with it, and 60 of 61 right answers stay.
 */
const pastedScoreMin = 0.46
/** Of a page that the reader names, what comes closest is an answer, unless it has nothing to do with the question. */
const pageAllowance = 0.35
/** How far the fit of a single sentence, item or row must lie above `fitMin` to be certain. */
const supportedMargin = 0.28
/** Weight of a word that occurs elsewhere on the quoted page: the page is about it. */
const samePageShare = 0.4
/** How many passages a small and a large site have. */
const siteSizes = { small: 200, large: 1_500 }

/** What counts besides the words of the best quote: the search score, its heading, and how few pages were found. */
const supports = { score: 0.6, heading: 0.3, page: 0.2 }
/** Values of these without weight: those of a typical right answer lie above. */
const supportZeros = { score: 0.5, heading: 0.3, page: 0.5 }

/** Penalty if the quotes lack the kind of thing that was asked for. */
const wrongKindCost = 0.2
/** Bonus if the title of the best quote's page consists of asked words: the page is about the question. */
const namedPageBonus = 0.15
/** Penalty on a large site if only few passages name a product, and none of them in a heading. */
const passingNameCost = 0.5
/** How rare such a name is: four of 1,500 passages contain it. */
const passingNameRarity = 0.75
/** Of a word that a site with enough passages lacks. */
const unheardRarity = 0.9
/** The first words of a question are all needed, of further ones this share. */
const neededWords = { all: 5, share: 0.3 }
/** How much of a question headings must name: steps are under a heading that says what for, facts may be anywhere. */
const aboutMin = { procedure: 0.2, other: 0.02, margin: 0.03 }
const nameWeight = 1.5
const missingNameWeight = 3
/** An ordinary word missing from the whole site suggests that the site is about something else. */
const absentWeight = 1.5
/** Words that have synonyms, such as `replace`, are expressed in many ways: the passages may use another one. */
const missingSynonymWeight = 0.5

/**
 * Judges whether the best quote answers a question, by how much of it the quote and its headings contain, each word
 * weighted by its rarity on the site. The other quotes do not count, because every word occurs on some page. A name that
 * no passage contains, or the quote contains only half of, counts more: pages with all the other words are about
 * something else. If the whole site lacks a name, no page is the answer.
 */
export function judgeFit(input: FitInput): Fit {
  const { question, matcher, vocabulary, known } = input
  const quotes = input.quotes.slice(0, 1)
  const all = matcher.match(vocabulary)
  const held = coverQuoted(question, input.passages, quotes)
  const onPage = matchOwnPage(input, quotes)
  const isMissing = question.words.map((word, index) => isMissingFrom(word, all[index] ?? 0))
  const isOther = question.words.map(({ nameBefore }, index) => nameBefore !== null && (held[index] ?? 0) === 0)
  const weights = question.words.map((word, index) => {
    return weighWord(word, isOther[index] === true || isMissing[index] === true, known)
  })
  const isNameLacking =
    (lacks: readonly boolean[]) =>
    ({ isName }: AskedWord, index: number) =>
      isName && lacks[index] === true && weights[index] !== 0
  const missing = question.words.filter(isNameLacking(isMissing))
  const isElsewhere = missing.length > 0 || question.words.some(isNameLacking(isOther))
  const circumstances = rateCircumstances({ ...input, quotes }, isElsewhere)
  const rate = (cover: readonly number[]) =>
    Math.min(1, shareCovered(cover, weights) / measureNeeded(question)) + circumstances
  const fit = rate(held.map((cover, word) => Math.max(cover, onPage[word] ?? 0)))
  const parts = quotes.flatMap((quote) => quote.parts.map((part) => ({ ...quote, parts: [part] })))
  const fitOfPart = Math.max(...parts.map((part) => rate(coverQuoted(question, input.passages, [part]))))
  return {
    verdict: chooseVerdict(input, { fit, fitOfPart, held, about: measureAbout(input) }, missing),
    missing: missing.map(({ surface }) => surface),
    unmentioned: question.words.flatMap(({ weight, isPasted, surface }, word) =>
      weight >= 1 && !isPasted && all[word] === 0 ? [surface] : [],
    ),
  }
}

/** How much of each ordinary word the found passages of the quoted page make up for. */
function matchOwnPage({ question, passages, matcher }: FitInput, quotes: readonly Quote[]): number[] {
  const page = passages[quotes[0]?.passage ?? -1]?.path
  const own = listVocabulary(passages.filter(({ path }) => path === page))
  return Array.from(matcher.match(own), (match, word) => (question.words[word]?.isName ? 0 : samePageShare * match))
}

function chooseVerdict(
  input: FitInput,
  { fit, fitOfPart, held, about }: { fit: number; fitOfPart: number; held: readonly number[]; about: number },
  missing: AskedWord[],
): Fit['verdict'] {
  const { question, passages, quotes, sitePassages, isAboutPage } = input
  const least = chooseFitMin(question, sitePassages)
  const margin = fit - least
  if (quotes.length === 0 || missing.some(({ isAbsent }) => isAbsent)) return 'unanswered'
  const isPasted = question.words.some((word) => word.isPasted)
  const allowance = Math.max(isAboutPage ? pageAllowance : 0, isPasted ? pastedAllowance : 0)
  const isUnknown =
    question.kind === 'procedure' && question.words.some((word, index) => isUnheardOf(word, held[index] ?? 0))
  const isAsked = isAboutPage || (isPasted ? isAboutError(input) : isAboutSubject(input, about, fitOfPart - least))
  const holdsWhat = isAboutPage || holdsForm(question, quotes[0], held)
  if (fitOfPart - least >= supportedMargin && !isUnknown && isAsked && holdsWhat) return 'supported'
  const isNear = isAboutPage && (passages[0]?.score ?? 0) >= nearScoreMin
  if (isNear || (margin >= -allowance && isAsked && holdsWhat && (isAboutPage || holdsDeed(question, held))))
    return 'partial'
  return missing.length === 0 ? 'nearest-page' : 'unanswered'
}

function isAboutError({ question, passages }: FitInput): boolean {
  const isTold = question.words.some(({ isPasted, weight }) => !isPasted && weight === 1)
  return isTold || Math.max(...passages.map(({ score }) => score)) >= pastedScoreMin
}

/** Whether a heading or the title shows that the quote is about the subject, unless one part of it says nearly all that was asked. */
function isAboutSubject({ question, quotes }: FitInput, about: number, marginOfPart: number): boolean {
  if (question.kind !== 'procedure') return about >= aboutMin.other || marginOfPart >= aboutMin.margin
  return about >= aboutMin.procedure || (quotes[0]?.parts ?? []).some((scored) => saysAll(scored, question))
}

function saysAll({ part, own }: ScoredPart, { words }: Question): boolean {
  return part.kind !== 'code' && words.every(({ weight }, word) => weight < 1 || (own[word] ?? 0) >= wordMatchMin)
}

/** The share of the telling words, weighted by their rarity, that the nearest headings or the title of the best quote contain. */
function measureAbout({ question, passages, quotes, matcher }: FitInput): number {
  const [best] = quotes
  const names = matcher.match(passages[best?.passage ?? -1]?.nameTerms ?? new Set())
  let [total, covered] = [0, 0]
  question.words.forEach(({ weight, rarity }, word) => {
    if (weight < 1) return
    total += rarity
    covered += rarity * Math.max(names[word] ?? 0, ...(best?.parts ?? []).map(({ heading }) => heading[word] ?? 0))
  })
  return total === 0 ? 1 : covered / total
}

/**
 * Bonuses and penalties for what surrounds the quote.
 *
 * @param isElsewhere Whether a name is missing: then a good match is about something else.
 */
function rateCircumstances(input: FitInput, isElsewhere: boolean): number {
  const { question, passages, quotes, matcher, sitePassages } = input
  const headingFit = Math.max(0, ...quotes.flatMap(({ parts }) => parts.map((part) => part.headingFit)))
  const score = Math.max(0, ...passages.map((passage) => passage.score))
  const isNamed = isNamedPage(passages[quotes[0]?.passage ?? -1], matcher)
  const size = sitePassages === null ? 0 : measureSize(sitePassages)
  const support =
    supports.score * (score - supportZeros.score) +
    supports.heading * (headingFit - supportZeros.heading) +
    supports.page * (measureTopPage(passages) - supportZeros.page) +
    (isNamed ? namedPageBonus : 0)
  return (
    (isElsewhere ? Math.min(0, support) : support) -
    (holdsKind(question, quotes) ? 0 : wrongKindCost) -
    (namesInPassing(input) ? passingNameCost * size : 0)
  )
}

/** The share of the places, each counted as the reciprocal of its rank, that the page with the largest share holds. */
function measureTopPage(passages: readonly ReadPassage[]): number {
  const shares = new Map<string, number>()
  passages.forEach(({ path }, index) => shares.set(path, (shares.get(path) ?? 0) + 1 / (index + 1)))
  const total = passages.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  return total === 0 ? 0 : Math.max(...shares.values()) / total
}

/** The larger a site, the more words of a question occur together by chance, so the more must match. */
function chooseFitMin({ text }: Question, sitePassages: number | null): number {
  if (isUnspaced(text)) return fitMin.unspaced
  if (sitePassages === null) return fitMin.unknown
  return fitMin.small + (fitMin.large - fitMin.small) * measureSize(sitePassages)
}

/** 0 for a small site to 1 for a large one. */
function measureSize(sitePassages: number): number {
  const { small, large } = siteSizes
  return Math.min(1, Math.max(0, Math.log(Math.max(1, sitePassages) / small) / Math.log(large / small)))
}

function isNamedPage(passage: ReadPassage | undefined, matcher: WordMatcher): boolean {
  return passage !== undefined && matcher.share(passage.nameTerms) === 1
}

/** Whether the question is about a product that the quotes only mention; a page about it has it in a heading. */
function namesInPassing({ question, passages, quotes, matcher }: FitInput): boolean {
  const around: WordMatches[] = quotes.flatMap(({ passage, parts }) => [
    ...(passages[passage] === undefined ? [] : [matcher.match(passages[passage].nameTerms)]),
    ...parts.map(({ part }) => matcher.match(part.headingTerms)),
  ])
  return question.words.some(({ isName, rarity, surface, nameBefore }, word) => {
    if (!isName || nameBefore !== null || rarity < passingNameRarity || !/^\p{Lu}/u.test(surface)) return false
    return around.every((match) => (match[word] ?? 0) < nameMatchMin)
  })
}

function isMissingFrom({ isName }: AskedWord, match: number): boolean {
  return match < (isName ? nameMatchMin : wordMatchMin)
}

function weighWord({ weight, rarity, isName, isAbsent, parts }: AskedWord, isMissing: boolean, known: TermSet): number {
  if (isMissing && isName && parts.length > 0 && parts.every((part) => known.has(part))) return 0
  if (isName) return weight * rarity * (isMissing ? missingNameWeight : nameWeight)
  if (!isMissing) return weight * rarity
  const hasSynonyms = parts.length > 0 && parts.every((part) => listRelatives(part).size > 0)
  return weight * rarity * (hasSynonyms ? missingSynonymWeight : isAbsent ? absentWeight : 1)
}

/** Like `scoreWordCoverage`, but a version number and the second word of a name count only after the word before. */
function coverQuoted({ words }: Question, passages: readonly ReadPassage[], quotes: readonly Quote[]): number[] {
  const cover = scoreWordCoverage(quotes)
  return words.map(({ nameBefore, surface, isName }, index) => {
    const held = isName && (cover[index] ?? 0) < heldNameMin ? 0 : (cover[index] ?? 0)
    if (nameBefore === null || held === 0) return held
    return quotes.some((quote) => holdsFullName(quote, passages[quote.passage], { nameBefore, surface })) ? held : 0
  })
}

function holdsFullName(
  { parts }: Quote,
  passage: ReadPassage | undefined,
  { nameBefore, surface }: { nameBefore: string; surface: string },
): boolean {
  const texts = [
    passage?.title ?? '',
    ...(passage?.headings ?? []),
    ...parts.flatMap(({ part }) => [part.text, part.tableHead, ...part.headings]),
  ]
  const isNumber = /^v?\d/i.test(surface)
  const [name, rest] = [nameBefore, isNumber ? surface.replace(/^v/i, '') : surface].map(escapePattern)
  const before = isNumber ? `(?:${name}|\\bversions?|,|\\band|\\bor)[\\s.@*\`]*v?` : `${name}[\\s*\`-]*`
  const pattern = new RegExp(`${before}${rest}(?!\\d)`, 'iu')
  return texts.some((text) => pattern.test(text))
}

function shareCovered(cover: readonly number[], weights: readonly number[]): number {
  let total = 0
  let covered = 0
  weights.forEach((weight, index) => {
    total += weight
    covered += weight * Math.min(1, (cover[index] ?? 0) * 1.2)
  })
  return total === 0 ? 0 : covered / total
}

/**
 * Whether the quote contains every telling word of a question how to do something, but for the further ones of a long
 * question: steps that lack one of them do something else, such as setting another thing.
 */
function holdsDeed({ kind, words }: Question, held: readonly number[]): boolean {
  if (kind !== 'procedure' || words.some(({ isPasted }) => isPasted)) return true
  const telling = words.flatMap(({ weight }, index) => (weight === 1 ? [held[index] ?? 0] : []))
  const lacking = telling.filter((value) => value < wordMatchMin).length
  return lacking <= Math.max(0, telling.length - neededWords.all)
}

/** What a site of some size never mentions, its pages do not explain how to do. */
function isUnheardOf({ weight, rarity, isAbsent, isPasted }: AskedWord, held: number): boolean {
  return weight === 1 && isAbsent && !isPasted && rarity >= unheardRarity && held < wordMatchMin
}

/** The share of a question that an answer has to contain: hardly any passage contains every word of a long one. */
function measureNeeded({ words }: Question): number {
  const count = words.filter(({ weight, isPasted }) => weight === 1 && !isPasted).length
  const { all, share } = neededWords
  return count <= all ? 1 : (all + share * (count - all)) / count
}

/** "How many" asks for a number. */
function holdsKind({ kind }: Question, quotes: readonly Quote[]): boolean {
  if (kind !== 'amount') return true
  return quotes.some(({ parts }) => parts.some(({ part }) => hasAmount(part.text)))
}
