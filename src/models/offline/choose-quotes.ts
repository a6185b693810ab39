import { completeQuote, countChars } from './complete-quote.ts'
import type { Quote } from './list-quotes.ts'
import type { ReadPassage, ScoredPart } from './score-parts.ts'

const charsMax = 2_600
/** Passages at the first places of the search are quoted too if they come this close to the best quote. */
const leads = { scoreMin: 0.5, wholeCharsMax: 700 }
/** Of how many places and pages; if it is not certain that the best quote answers, others may. */
const breadths = { certain: { placesMax: 3, pagesMax: 2 }, uncertain: { placesMax: 5, pagesMax: 3 } }
/** An answer with more needs no second lead. */
const shortAnswerChars = 2_000

interface ChooseInput {
  passages: readonly ReadPassage[]
  candidates: readonly Quote[]
  /** All parts of all passages. */
  parts: readonly ScoredPart[]
  isCertain: boolean
}

/**
 * Chooses what to quote: the best quote, then the best one of each passage that the search found first, because the
 * search knows more than the words of one part. Each is made self-contained.
 */
export function chooseQuotes({ passages, candidates, parts, isCertain }: ChooseInput): Quote[] {
  const { placesMax, pagesMax } = isCertain ? breadths.certain : breadths.uncertain
  const ranked = candidates.toSorted((a, b) => b.score - a.score)
  const best = ranked[0]
  if (!best || best.score <= 0) return []
  const byPassage = Map.groupBy(parts, ({ passage }) => passage)
  const complete = (quote: Quote, wholeCharsMax?: number) =>
    completeQuote(quote, byPassage.get(quote.passage) ?? [], wholeCharsMax)
  const chosen = [complete(best)]
  for (const lead of listLeads(ranked, best, placesMax)) {
    const chars = chosen.reduce((sum, quote) => sum + countChars(quote.parts), 0)
    const isWanted = lead.passage === 0 || chars <= shortAnswerChars
    const whole = complete(lead, leads.wholeCharsMax)
    const isTooMuch = chars + countChars(whole.parts) > charsMax || countPages([...chosen, lead], passages) > pagesMax
    if (isWanted && !isTooMuch) chosen.push(whole)
  }
  return chosen
}

/** The best quote of each passage at the first places, if it comes close enough. */
function listLeads(ranked: readonly Quote[], best: Quote, placesMax: number): Quote[] {
  return Array.from({ length: placesMax }, (_, place) => place).flatMap((place) => {
    const quote = ranked.find(({ passage }) => passage === place)
    const isClose = quote !== undefined && quote.score >= leads.scoreMin * best.score
    return isClose && place !== best.passage ? [quote] : []
  })
}

function countPages(quotes: readonly Quote[], passages: readonly ReadPassage[]): number {
  return new Set(quotes.map(({ passage }) => passages[passage]?.path)).size
}

/** How strongly quotes contain each asked word, with their headings and title. */
export function scoreWordCoverage(quotes: readonly Pick<Quote, 'parts'>[]): number[] {
  const cover: number[] = []
  for (const { parts } of quotes) {
    for (const { withContext } of parts) {
      withContext.forEach((value, word) => (cover[word] = Math.max(cover[word] ?? 0, value)))
    }
  }
  return cover
}
