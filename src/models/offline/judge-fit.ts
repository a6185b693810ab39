import { coverWords } from './choose-quotes.ts'
import type { Quote } from './list-quotes.ts'
import type { TermSet, WordMatcher } from './match-words.ts'
import { type AskedWord, isUnspaced, type Question } from './read-question.ts'
import { hasAmount, type ReadPassage } from './score-parts.ts'

export interface FitInput {
  question: Question
  passages: readonly ReadPassage[]
  quotes: readonly Quote[]
  matcher: WordMatcher
  /** Every term of the passages. */
  vocabulary: TermSet
  /** Terms of what the service was told, such as the site's name. */
  known: TermSet
}

export interface Fit {
  fits: boolean
  /** Names of the question that no passage holds, as typed. */
  missing: string[]
  /** 0 to 1: how much of the question the best quote holds. */
  best: number
  /** 0 to 1: how much of it all quotes together hold. */
  together: number
}

/** A whole identifier, or all of its parts. */
const nameMatchMin = 0.85
const wordMatchMin = 0.5
/** Chosen by trying: lower ones answer more of the questions that no page answers. Pairs of characters also span words that say nothing. */
const fitMin = { spaced: 0.56, unspaced: 0.36 }

/** What it costs when the quotes do not hold the kind of thing that was asked for. */
const wrongKindCost = 0.2

/**
 * Whether quotes answer a question: by how much of it they and the headings around them hold. The best quote counts
 * more than all together, because some page or other holds every word. A name that no passage holds weighs double:
 * pages that share all the other words are about something else.
 */
export function judgeFit({ question, passages, quotes, matcher, vocabulary, known }: FitInput): Fit {
  const all = matcher.match(vocabulary)
  const isMissing = question.words.map((word, index) => (all[index] ?? 0) < (word.isName ? nameMatchMin : wordMatchMin))
  const weights = question.words.map((word, index) => weighWord(word, isMissing[index] === true, known))
  const measure = (some: readonly Quote[]) => shareCovered(coverWords(some, 'withContext'), weights)
  const best = Math.max(0, ...quotes.map((quote) => measure([quote])))
  const together = measure(quotes)
  const missing = question.words.filter(
    ({ isName }, index) => isName && isMissing[index] === true && weights[index] !== 0,
  )
  const score = Math.max(0, ...passages.map((passage) => passage.score))
  const fit = 0.8 * best + 0.2 * together + 0.4 * (score - 0.5) - (holdsKind(question, quotes) ? 0 : wrongKindCost)
  const fits = quotes.length > 0 && fit >= (isUnspaced(question.text) ? fitMin.unspaced : fitMin.spaced)
  return { fits, missing: missing.map(({ surface }) => surface), best, together }
}

function weighWord({ weight, isName, parts }: AskedWord, isMissing: boolean, known: TermSet): number {
  if (isMissing && isName && parts.length > 0 && parts.every((part) => known.has(part))) return 0
  return weight * (isName ? 1.5 : 1) * (isName && isMissing ? 2 : 1)
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

/** A how-many wants a number. */
function holdsKind({ kind }: Question, quotes: readonly Quote[]): boolean {
  if (kind !== 'amount') return true
  return quotes.some(({ parts }) => parts.some(({ part }) => hasAmount(part.text)))
}
