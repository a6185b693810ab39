import { listTerms, type TermSet, type WordMatcher, type WordMatches } from './match-words.ts'
import type { Question, QuestionKind } from './read-question.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import { type PassagePart, splitPassage } from './split-passage.ts'

/** A part of a passage with what is needed to compare it with a question. */
export interface ReadPart extends PassagePart {
  terms: TermSet
  /** Of the headings above it. */
  headingTerms: TermSet
  /** Of the nearest heading alone. */
  nearestHeadingTerms: TermSet
  /** Of what a sentence defines, where it reads like a definition. */
  subjectTerms: TermSet | null
}

export interface ReadPassage extends RetrievedPassage {
  parts: ReadPart[]
  titleTerms: TermSet
}

export interface ScoredPart {
  passage: number
  index: number
  part: ReadPart
  own: WordMatches
  /** Own words and those of the headings and the title around it, which count less. */
  withContext: WordMatches
  /** 0 to 1: how much of the asked words is what it defines. */
  defines: number
  /** The share of the question that its own text holds. */
  ownShare: number
  /** The share of the question that it covers with the headings around it, by what tells the parts apart. */
  base: number
  /** What it looks like, against what is asked for; may be negative. */
  shape: number
  /** How well the search thought of its passage. */
  prior: number
}

/** A heading made of the asked words alone says what stands under it; one with many others says little. */
const headingStrengths = { least: 0.6, most: 0.95 }
const titleStrength = 0.55

export function readPassage(passage: RetrievedPassage, language: string | null): ReadPassage {
  const around = passage.headings.join('\n')
  const parts = splitPassage(passage.content).map((part) => ({
    ...part,
    terms: listTerms(part.text, language),
    headingTerms: listTerms([around, ...part.headings, part.tableHead].join('\n'), language),
    nearestHeadingTerms: listTerms(part.headings.at(-1) ?? passage.headings.at(-1) ?? passage.title, language),
    subjectTerms: readSubjectTerms(part, language),
  }))
  return {
    ...passage,
    parts,
    titleTerms: listTerms(`${passage.title}\n${passage.path.replaceAll('/', ' ')}`, language),
  }
}

/** Every term of the passages, once. */
export function listVocabulary(passages: readonly ReadPassage[]): TermSet {
  const all = new Set<string>()
  for (const { parts, titleTerms } of passages) {
    for (const term of titleTerms) all.add(term)
    for (const { terms, headingTerms } of parts) {
      for (const term of terms) all.add(term)
      for (const term of headingTerms) all.add(term)
    }
  }
  return all
}

/**
 * Scores every part by the share of the question that it covers, each word weighted by how rare it is among the parts:
 * what all of them say tells none of them apart. What stands in its headings counts in part. Beside it stand what the
 * kind of the question asks for and how well the search thought of the passage.
 */
export function scoreParts(
  question: Question,
  passages: readonly ReadPassage[],
  matcher: WordMatcher,
): { parts: ScoredPart[]; weights: QuestionWeights } {
  const parts = passages.flatMap((passage, index) => matchPassage(passage, index, matcher))
  const weights = new QuestionWeights(question, parts)
  const bestScore = Math.max(...passages.map(({ score }) => score), 0.01)
  for (const scored of parts) {
    scored.base = weights.cover([scored])
    scored.defines = defineShare(scored, weights, matcher)
    scored.ownShare = weights.coverOwn(scored)
    scored.shape = scoreShape(question, scored)
    scored.prior = 0.15 * ((passages[scored.passage]?.score ?? 0) / bestScore) + 0.1 / (scored.passage + 1)
  }
  return { parts, weights }
}

function defineShare({ part }: ScoredPart, weights: QuestionWeights, matcher: WordMatcher): number {
  return part.subjectTerms === null ? 0 : weights.coverOwn({ own: matcher.match(part.subjectTerms) })
}

/** What stands in headings counts as much as this of what stands in the text itself. */
const contextShare = 0.6

/** How much each word of a question says about the parts of some passages. */
export class QuestionWeights {
  readonly #weights: Float64Array

  constructor({ words }: Question, parts: readonly ScoredPart[]) {
    const raw = Float64Array.from(words, ({ weight, isName }, word) => {
      const count = parts.reduce((total, { own }) => total + (own[word] ?? 0), 0)
      return weight * (isName ? 2 : 1) * Math.log(1 + (parts.length + 1) / (count + 0.5))
    })
    const total = raw.reduce((sum, value) => sum + value, 0) || 1
    this.#weights = raw.map((value) => value / total)
  }

  /** 0 to 1: the share of the question that the parts hold together. */
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
  return passage.parts.map((part, at) => {
    const own = matcher.match(part.terms)
    const heading = matcher.match(part.headingTerms)
    const { least, most } = headingStrengths
    const headingStrength = least + (most - least) * matcher.share(part.nearestHeadingTerms)
    const withContext = own.map((value, word) =>
      Math.max(value, headingStrength * (heading[word] ?? 0), titleStrength * (title[word] ?? 0)),
    )
    return { passage: index, index: at, part, own, withContext, defines: 0, ownShare: 0, base: 0, shape: 0, prior: 0 }
  })
}

const definingVerbs = new Set(['is', 'are', 'means', 'refers', 'lets', 'allows', 'provides', 'describes', 'represents'])
/** After `is` and `are` they tell what is done with a thing, not what it is. */
const doneToIt = /^(?:not|\w+ed|built|chosen|done|given|kept|made|put|read|run|sent|set|shown|written)\b/i
const subjectWordsMax = 5
const imperative =
  /^\W*(?:add|apply|call|change|check|choose|click|configure|copy|create|define|delete|deploy|download|enable|enter|export|generate|go|import|include|install|navigate|open|paste|pass|place|put|register|remove|rename|replace|run|save|select|send|set|sign|specify|start|switch|turn|type|update|upload|use|visit|wrap|write)\b/i

/** What the part looks like, against what the question asks for. */
function scoreShape({ kind }: Question, scored: ScoredPart): number {
  const { part, index } = scored
  const wordCount = part.terms.size
  let score = kindBonuses[kind](part)
  if (part.kind === 'sentence' && wordCount < 4) score -= 0.2
  if (part.kind === 'code') score -= scored.ownShare < 0.2 && kind !== 'procedure' && kind !== 'example' ? 0.4 : 0.1
  if (wordCount > 60) score -= 0.15
  if (kind === 'definition') score += 0.45 * scored.defines
  if (index === 0 && part.kind === 'sentence') score += 0.1
  if (/[:：]$/.test(part.text) && part.kind === 'sentence') score -= 0.05
  if (part.text.endsWith('?')) score -= 0.3
  return score
}

/** What stands before a verb that defines, when that is short; read word by word, because texts are not ours. */
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
    return (subjectTerms === null ? 0 : 0.1) - (imperative.test(text) ? 0.2 : 0)
  },
  procedure: ({ kind, isOrdered, text }) =>
    (isOrdered ? 0.25 : 0) + (kind === 'code' ? 0.15 : 0) + (kind !== 'code' && imperative.test(text) ? 0.2 : 0),
  amount: ({ text }) => (hasAmount(text) ? 0.25 : 0),
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

/** The number of a list item is none. */
export function hasAmount(text: string): boolean {
  return amount.test(text.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''))
}
