import { completeQuote, countChars } from './complete-quote.ts'
import type { Quote } from './list-quotes.ts'
import type { Question } from './read-question.ts'
import type { ReadPassage, ScoredPart } from './score-parts.ts'

const quotesMax = 4
const pagesMax = 2
const charsMax = 1_800
/** Passages at the first places of the search are quoted too if they come this close to the best quote. */
const leads = { placesMax: 2, scoreMin: 0.6 }
/**
 * How close a further quote must be to the best one; closer if it is from another page, because it starts afresh there.
 */
const relativeScoreMin = { samePage: 0.7, otherPage: 0.9 }
/** How much a further quote must add to the covered share of the question. */
const gainMin = { samePage: 0.06, otherPage: 0.1 }

/** While the answer is shorter, quotes are added that cover no further words: what was found first or is nearly as good. */
const shortAnswerChars = 700
const nearlyAsGood = 0.9

interface ChooseInput {
  question: Question
  passages: readonly ReadPassage[]
  candidates: readonly Quote[]
  /** All parts of all passages. */
  parts: readonly ScoredPart[]
}

/**
 * Chooses what to quote: the best quote first, then the best of the passages that the search found first, then those
 * that come close and add something, or show steps or code that were asked for. Each is made self-contained.
 */
export function chooseQuotes({ question, passages, candidates, parts }: ChooseInput): Quote[] {
  const ranked = candidates.toSorted((a, b) => b.score - a.score)
  const best = ranked[0]
  if (!best || best.score <= 0) return []
  const byPassage = Map.groupBy(parts, ({ passage }) => passage)
  const leading = listLeads(ranked, best)
  const chosen: Quote[] = []
  for (const candidate of new Set([best, ...leading, ...ranked])) {
    if (chosen.length === quotesMax) break
    const chars = chosen.reduce((sum, quote) => sum + countChars(quote.parts), 0)
    const isWanted =
      candidate === best || (leading.includes(candidate) && (candidate.passage === 0 || chars <= shortAnswerChars))
    if (overlaps(candidate, chosen) || startsTooManyPages(candidate, chosen, passages)) continue
    if (!isWanted && !addsEnough({ question, passages, candidate, chosen, chars })) continue
    const whole = completeQuote(candidate, byPassage.get(candidate.passage) ?? [])
    if (candidate !== best && (chars + countChars(whole.parts) > charsMax || overlaps(whole, chosen))) continue
    chosen.push(whole)
  }
  return chosen
}

/** The best quote of each passage at the first places, if it comes close enough. */
function listLeads(ranked: readonly Quote[], best: Quote): Quote[] {
  return Array.from({ length: leads.placesMax }, (_, place) => place).flatMap((place) => {
    const quote = ranked.find(({ passage }) => passage === place)
    const isClose = quote !== undefined && quote.score >= leads.scoreMin * best.score
    return isClose && place !== best.passage ? [quote] : []
  })
}

function startsTooManyPages(candidate: Quote, chosen: readonly Quote[], passages: readonly ReadPassage[]): boolean {
  const paths = new Set([...chosen, candidate].map(({ passage }) => passages[passage]?.path))
  return paths.size > pagesMax
}

interface Addition {
  question: Question
  passages: readonly ReadPassage[]
  candidate: Quote
  /** Best first; not empty. */
  chosen: readonly Quote[]
  /** Length of the chosen ones. */
  chars: number
}

function addsEnough({ question, passages, candidate, chosen, chars }: Addition): boolean {
  const best = chosen[0] as Quote
  if (candidate.score < relativeScoreMin.samePage * best.score) return false
  const paths = new Set(chosen.map((quote) => passages[quote.passage]?.path))
  const isSamePage = paths.has(passages[candidate.passage]?.path)
  const gain = measureGain(question, candidate, chosen)
  if (!isSamePage) {
    if (candidate.score < relativeScoreMin.otherPage * best.score) return false
    return gain >= gainMin.otherPage
  }
  const isRead = candidate.isWhole || candidate.parts.every(({ part }) => part.kind === 'sentence')
  const isNearlyAsGood = isRead && candidate.score >= nearlyAsGood * best.score && chars <= shortAnswerChars
  const showsHow = question.kind === 'procedure' && candidate.isWhole && !chosen.some(({ isWhole }) => isWhole)
  return showsHow || gain >= gainMin.samePage || isNearlyAsGood
}

function overlaps({ parts }: Quote, chosen: readonly Quote[]): boolean {
  const taken = new Set<ScoredPart>(chosen.flatMap((quote) => quote.parts))
  return parts.some((part) => taken.has(part))
}

/** The share of the question, 0 to 1, that it covers and the chosen ones do not. */
function measureGain({ words }: Question, candidate: Quote, chosen: readonly Quote[]): number {
  const has = scoreWordCoverage([candidate], 'own')
  const had = scoreWordCoverage(chosen, 'own')
  let gain = 0
  let total = 0
  words.forEach(({ weight, rarity }, word) => {
    total += weight * rarity
    gain += weight * rarity * Math.max(0, (has[word] ?? 0) - (had[word] ?? 0))
  })
  return total === 0 ? 0 : gain / total
}

/** How strongly quotes contain each asked word: in their own text, or with their headings and title. */
export function scoreWordCoverage(quotes: readonly Pick<Quote, 'parts'>[], matches: 'own' | 'withContext'): number[] {
  const cover: number[] = []
  for (const { parts } of quotes) {
    for (const scored of parts) {
      scored[matches].forEach((value, word) => (cover[word] = Math.max(cover[word] ?? 0, value)))
    }
  }
  return cover
}
