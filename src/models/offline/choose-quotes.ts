import type { Quote } from './list-quotes.ts'
import type { Question } from './read-question.ts'
import type { ReadPassage, ScoredPart } from './score-parts.ts'

const quotesMax = 5
const pagesMax = 3
const charsMax = 1_800
/** How close a further quote must come to the best one; from another page closer, because it starts anew there. */
const relativeScoreMin = { samePage: 0.62, otherPage: 0.85 }

/**
 * Chooses what to quote: the best quote first, then those that come near it and add something, or show by steps or
 * code what was asked for.
 */
export function chooseQuotes(
  question: Question,
  passages: readonly ReadPassage[],
  candidates: readonly Quote[],
): Quote[] {
  const ranked = candidates.toSorted((a, b) => b.score - a.score)
  const best = ranked[0]
  if (!best || best.score <= 0) return []
  const chosen = [best]
  let chars = countChars(best)
  for (const candidate of ranked.slice(1)) {
    if (chosen.length === quotesMax || candidate.score < relativeScoreMin.samePage * best.score) break
    if (chars + countChars(candidate) > charsMax || overlaps(candidate, chosen)) continue
    if (!addsEnough({ question, passages, candidate, chosen })) continue
    chosen.push(candidate)
    chars += countChars(candidate)
  }
  return chosen
}

interface Addition {
  question: Question
  passages: readonly ReadPassage[]
  candidate: Quote
  /** Best first; not empty. */
  chosen: readonly Quote[]
}

function addsEnough({ question, passages, candidate, chosen }: Addition): boolean {
  const best = chosen[0] as Quote
  const paths = new Set(chosen.map((quote) => passages[quote.passage]?.path))
  const isSamePage = paths.has(passages[candidate.passage]?.path)
  if (!isSamePage && (paths.size >= pagesMax || candidate.score < relativeScoreMin.otherPage * best.score)) return false
  const showsHow = question.kind === 'procedure' && candidate.isWhole && !chosen.some(({ isWhole }) => isWhole)
  return (showsHow && isSamePage) || candidate.score * (0.75 + measureGain(candidate, chosen)) >= 0.8 * best.score
}

function countChars({ parts }: Quote): number {
  return parts.reduce((sum, { part }) => sum + part.text.length, 0)
}

function overlaps({ parts }: Quote, chosen: readonly Quote[]): boolean {
  const taken = new Set<ScoredPart>(chosen.flatMap((quote) => quote.parts))
  return parts.some((part) => taken.has(part))
}

/** The share of the asked words that it holds and the chosen ones do not. */
function measureGain(candidate: Quote, chosen: readonly Quote[]): number {
  const has = coverWords([candidate], 'own')
  const had = coverWords(chosen, 'own')
  let gain = 0
  has.forEach((value, word) => (gain += Math.max(0, value - (had[word] ?? 0))))
  return has.length === 0 ? 0 : gain / has.length
}

/** How strongly quotes hold each asked word: in their own text, or with the headings and the title around it. */
export function coverWords(quotes: readonly Quote[], matches: 'own' | 'withContext'): number[] {
  const cover: number[] = []
  for (const { parts } of quotes) {
    for (const scored of parts) {
      scored[matches].forEach((value, word) => (cover[word] = Math.max(cover[word] ?? 0, value)))
    }
  }
  return cover
}
