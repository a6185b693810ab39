import { listTellingTerms, listTerms, type TermSet, type WordMatcher, type WordMatches } from './match-words.ts'
import type { Question, QuestionKind } from './read-question.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import { type PassagePart, splitPassage } from './split-passage.ts'

/** A part of a passage, prepared for comparison with a question. */
export interface ReadPart extends PassagePart {
  terms: TermSet
  /** Of the headings above it. */
  headingTerms: TermSet
  /** Of the nearest heading alone. */
  nearestHeadingTerms: TermSet
  /** Of the defined term, if the sentence reads like a definition. */
  subjectTerms: TermSet | null
}

export interface ReadPassage extends RetrievedPassage {
  parts: ReadPart[]
  titleTerms: TermSet
  /** Of its page's title alone, without function words. */
  nameTerms: TermSet
  /** Every term of its parts, their headings and its title. */
  vocabulary: TermSet
}

export interface ScoredPart {
  passage: number
  index: number
  part: ReadPart
  own: WordMatches
  /** Own words and those of the headings and the title around it, which count less. */
  withContext: WordMatches
  /** The asked words in the nearest heading, and the share of its words that are asked for. */
  heading: WordMatches
  headingShare: number
  headingFit: number
  /** 0 to 1: how much of the asked words it defines. */
  defines: number
  /** The share of the question that its own text contains. */
  ownShare: number
  /** 0 to 1: the share of its own words that are asked for. */
  focus: number
  /** The share of the question that it covers with its headings, weighted by how rare each word is among the parts. */
  base: number
  /** How well its form fits the question; may be negative. */
  shape: number
  /** For its place; see `priors`. */
  prior: number
}

/** A section with a heading that asks nearly the same is the answer; the others of its passage are not. */
export const askedHeadingFit = 0.8
/** A heading of asked words alone describes its section; one with many other words says little. */
const headingStrengths = { least: 0.6, most: 0.95 }
const titleStrength = 0.7

export function readPassage(passage: RetrievedPassage, language: string | null): ReadPassage {
  const around = passage.headings.join('\n')
  // Parts under one heading share its terms: passages are cached, and most of their memory would go to these.
  const headings = new Map<string, Pick<ReadPart, 'headingTerms' | 'nearestHeadingTerms'>>()
  const readHeadings = (part: PassagePart) => {
    const text = [around, ...part.headings, part.tableHead].join('\n')
    const known = headings.get(text)
    if (known) return known
    const nearest = part.headings.at(-1) ?? passage.headings.at(-1) ?? passage.title
    const read = { headingTerms: listTerms(text, language), nearestHeadingTerms: listTellingTerms(nearest, language) }
    headings.set(text, read)
    return read
  }
  const parts = splitPassage(passage.content).map((part) => ({
    ...part,
    ...readHeadings(part),
    terms: listTerms(part.text, language),
    subjectTerms: readSubjectTerms(part, language),
  }))
  const titleTerms = listTerms(`${passage.title}\n${passage.path.replaceAll('/', ' ')}`, language)
  const nameTerms = listTellingTerms(passage.title, language)
  return { ...passage, parts, titleTerms, nameTerms, vocabulary: collectTerms(parts, titleTerms) }
}

function collectTerms(parts: readonly ReadPart[], titleTerms: TermSet): TermSet {
  const all = new Set(titleTerms)
  for (const { terms, headingTerms } of parts) {
    for (const term of terms) all.add(term)
    for (const term of headingTerms) all.add(term)
  }
  return all
}

/** Every term of the passages, once. */
export function listVocabulary(passages: readonly ReadPassage[]): TermSet {
  const all = new Set<string>()
  for (const { vocabulary } of passages) for (const term of vocabulary) all.add(term)
  return all
}

/**
 * Scores every part by the share of the question that it covers, each word weighted by its rarity among the parts: a
 * word in all of them distinguishes none. Words in its headings count in part. The kind of question and the search
 * score of the passage are added.
 */
export function scoreParts(
  question: Question,
  passages: readonly ReadPassage[],
  matcher: WordMatcher,
): { parts: ScoredPart[]; weights: QuestionWeights } {
  const parts = passages.flatMap((passage, index) => matchPassage(passage, index, matcher))
  const weights = new QuestionWeights(question, parts)
  const bestScore = Math.max(...passages.map(({ score }) => score), 0.01)
  const titleFits = passages.map(({ nameTerms }) => {
    return weights.coverOwn({ own: matcher.match(nameTerms) }) * (0.4 + 0.6 * matcher.share(nameTerms))
  })
  for (const scored of parts) {
    scored.headingFit = weights.coverOwn({ own: scored.heading }) * (0.4 + 0.6 * scored.headingShare)
    scored.base = weights.cover([scored])
    scored.defines = defineShare(scored, weights, matcher)
    scored.ownShare = weights.coverOwn(scored)
    scored.focus = matcher.share(scored.part.terms)
    scored.shape = scoreShape(question, scored)
    scored.prior =
      priors.score * ((passages[scored.passage]?.score ?? 0) / bestScore) +
      priors.rank / (scored.passage + 1) +
      priors.heading * scored.headingFit +
      (scored.headingFit >= askedHeadingFit ? priors.asked : 0) +
      priors.title * (titleFits[scored.passage] ?? 0)
  }
  return { parts, weights }
}

function defineShare({ part }: ScoredPart, weights: QuestionWeights, matcher: WordMatcher): number {
  return part.subjectTerms === null ? 0 : weights.coverOwn({ own: matcher.match(part.subjectTerms) })
}

/** Weight of words in headings, relative to words in the text. */
const contextShare = 0.6

/**
 * The score of a part for its place: score and rank of its passage in the search, and how its heading fits. `asked`, for a heading
 * that asks nearly the same, outweighs a part elsewhere that repeats all words of the question in its own text.
 */
const priors = { score: 0.3, rank: 0.1, heading: 0.2, asked: 0.5, title: 0.2 }

/** How much each word of a question says about the parts of some passages. */
export class QuestionWeights {
  readonly #weights: Float64Array

  constructor({ words }: Question, parts: readonly ScoredPart[]) {
    const raw = Float64Array.from(words, ({ weight, isName, rarity }, word) => {
      const count = parts.reduce((total, { own }) => total + (own[word] ?? 0), 0)
      return weight * rarity * (isName ? 2 : 1) * Math.log(1 + (parts.length + 1) / (count + 0.5))
    })
    const total = raw.reduce((sum, value) => sum + value, 0) || 1
    this.#weights = raw.map((value) => value / total)
  }

  /** 0 to 1: the share of the question that the parts contain together. */
  cover(parts: readonly Pick<ScoredPart, 'own' | 'withContext'>[]): number {
    let covered = 0
    this.#weights.forEach((weight, word) => {
      let own = 0
      let withContext = 0
      for (const part of parts) {
        own = Math.max(own, part.own[word] ?? 0)
        withContext = Math.max(withContext, part.withContext[word] ?? 0)
      }
      covered += weight * (own + contextShare * (withContext - own))
    })
    return covered
  }

  coverOwn({ own }: Pick<ScoredPart, 'own'>): number {
    return this.#weights.reduce((sum, weight, word) => sum + weight * (own[word] ?? 0), 0)
  }
}

function readSubjectTerms(part: PassagePart, language: string | null): TermSet | null {
  const subject = readSubject(part)
  return subject === null ? null : listTerms(subject, language)
}

function matchPassage(passage: ReadPassage, index: number, matcher: WordMatcher): ScoredPart[] {
  const title = matcher.match(passage.titleTerms)
  const { least, most } = headingStrengths
  let around: { terms: TermSet; heading: WordMatches; nearest: WordMatches; headingShare: number } | null = null
  return passage.parts.map((part, at) => {
    const own = matcher.match(part.terms)
    // Parts under one heading share its terms, so they are matched once.
    if (around?.terms !== part.headingTerms) {
      around = {
        terms: part.headingTerms,
        heading: matcher.match(part.headingTerms),
        nearest: matcher.match(part.nearestHeadingTerms),
        headingShare: matcher.share(part.nearestHeadingTerms),
      }
    }
    const { heading, nearest, headingShare } = around
    const headingStrength = least + (most - least) * headingShare
    const withContext = own.map((value, word) =>
      Math.max(value, headingStrength * (heading[word] ?? 0), titleStrength * (title[word] ?? 0)),
    )
    return {
      passage: index,
      index: at,
      part,
      own,
      withContext,
      heading: nearest,
      headingShare,
      headingFit: 0,
      defines: 0,
      ownShare: 0,
      focus: 0,
      base: 0,
      shape: 0,
      prior: 0,
    }
  })
}

const definingVerbs = new Set(['is', 'are', 'means', 'refers', 'lets', 'allows', 'provides', 'describes', 'represents'])
/** After `is` and `are` they say what is done with a thing, not what it is. */
const doneToIt = /^(?:not|\w+ed|built|chosen|done|given|kept|made|put|read|run|sent|set|shown|written)\b/i
const subjectWordsMax = 5
/** "Docent is a service" says what it is, "Docent is free" does not. */
const namesKind = /^(?:\S+\s+){1,5}(?:is|are) (?:an?|the|one)\b/i
const imperative =
  /^\W*(?:add|apply|call|change|check|choose|click|configure|copy|create|define|delete|deploy|download|enable|enter|export|generate|go|import|include|install|navigate|open|paste|pass|place|put|register|remove|rename|replace|run|save|select|send|set|sign|specify|start|switch|turn|type|update|upload|use|visit|wrap|write)\b/i

/** Long parts contain a word of everything: the penalty grows from the first number of words to the second. */
const plainWords = 15
const longWords = 45
const longPartCost = 0.15

/** How well the form of the part fits the question. */
function scoreShape({ kind }: Question, scored: ScoredPart): number {
  const { part } = scored
  const wordCount = part.terms.size
  let score = kindBonuses[kind](part)
  if (part.kind === 'code') score -= scored.ownShare < 0.2 && kind !== 'procedure' && kind !== 'example' ? 0.4 : 0.1
  score -= longPartCost * Math.min(1, Math.max(0, (wordCount - plainWords) / (longWords - plainWords)))
  score += 0.1 * scored.focus
  if (kind === 'definition') score += 0.45 * scored.defines
  if (part.isOrdered && kind !== 'procedure' && kind !== 'amount') score -= 0.2
  if (part.text.endsWith('?')) score -= 0.3
  return score
}

/** The text before a defining verb, if short. Scanned word by word, because a pattern could backtrack on hostile text. */
function readSubject({ kind, text }: PassagePart): string | null {
  if (kind !== 'sentence') return null
  const words = text.slice(0, 200).split(/\s+/, subjectWordsMax + 2)
  const verb = words.findIndex((word, index) => index > 0 && definingVerbs.has(word.toLowerCase()))
  if (verb === -1 || verb > subjectWordsMax || doneToIt.test(words[verb + 1] ?? '')) return null
  return words.slice(0, verb).join(' ')
}

const kindBonuses: Readonly<Record<QuestionKind, (part: ReadPart) => number>> = {
  definition: ({ kind, text, subjectTerms }) => {
    if (kind !== 'sentence') return -0.1
    if (subjectTerms === null) return imperative.test(text) ? -0.2 : 0
    return namesKind.test(text.slice(0, 200)) ? 0.3 : 0.1
  },
  procedure: ({ kind, isOrdered, text }) =>
    (isOrdered ? 0.25 : 0) + (kind === 'code' ? 0.15 : 0) + (kind !== 'code' && imperative.test(text) ? 0.2 : 0),
  amount: ({ kind, text }) => (hasAmount(text) ? 0.25 : 0) + (kind === 'row' && hasAmount(text) ? 0.1 : 0),
  default: ({ text }) => (/\bdefaults?\b/i.test(text) ? 0.3 : 0),
  reason: ({ text }) =>
    /\b(?:because|so that|since|caused?|reason|therefore|otherwise|means)\b/i.test(text) ? 0.2 : 0,
  place: ({ text }) => (/`[^`]*[./][^`]*`|\*\*|→|>|\b(?:in|under|at) the\b/.test(text) ? 0.15 : 0),
  example: ({ kind }) => (kind === 'code' ? 0.5 : 0),
  list: ({ kind }) => (kind === 'item' || kind === 'row' ? 0.15 : 0),
  fact: () => 0,
}

const amount =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|half|once|twice|never|always|immediately|at once|every|each|daily|weekly|monthly|yearly|hourly|unlimited|free|no limit|end of|first day)\b/iu

/** List markers do not count. */
export function hasAmount(text: string): boolean {
  return amount.test(text.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''))
}
