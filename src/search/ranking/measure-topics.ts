import type { IndexFile } from '../index-file/index-file.ts'
import { getPageNames, type PageName } from './page-names.ts'
import type { ScoredTerm } from './score-chunks.ts'

interface NameMatch {
  termCount: number
  /** Weight of the query's words in the name. */
  weight: number
  /** The word matched last, and how much of its weight. */
  word: number
  wordWeight: number
}

/**
 * How far a query is about a page, by page: the share of the query that is in the page's name, times the square of the
 * share of the name that is in the query. 1 if both say the same.
 *
 * An identifier counts once, however many terms it consists of; otherwise `client.rows.find()` would be about anything
 * rather than about the page "find".
 *
 * @param terms Terms of one word follow each other.
 */
export function measureTopics(index: IndexFile, terms: readonly ScoredTerm[]): Map<number, number> {
  const named = terms.filter(({ naming }) => naming > 0)
  const weights = weighWords(named)
  const matches = matchNames(index, named, weights)
  const whole = weights.values().reduce((sum, weight) => sum + weight, 0)
  const topics = new Map<number, number>()
  for (const [{ page, termCount }, match] of matches) {
    const topic = (match.weight / whole) * (match.termCount / termCount) ** 2
    topics.set(page, Math.max(topics.get(page) ?? 0, topic))
  }
  return topics
}

/** A word weighs as much as its rarest term. */
function weighWords(terms: readonly ScoredTerm[]): Map<number, number> {
  const weights = new Map<number, number>()
  for (const { word, idf } of terms) weights.set(word, Math.max(weights.get(word) ?? 0, idf))
  return weights
}

function matchNames(
  index: IndexFile,
  terms: readonly ScoredTerm[],
  weights: ReadonlyMap<number, number>,
): Map<PageName, NameMatch> {
  const names = getPageNames(index)
  const matches = new Map<PageName, NameMatch>()
  for (const { term, word, idf, naming } of terms) {
    for (const name of names.get(term) ?? []) {
      const match = matches.get(name) ?? { termCount: 0, weight: 0, word, wordWeight: 0 }
      const before = match.word === word ? match.wordWeight : 0
      match.wordWeight = Math.min(weights.get(word) ?? 0, before + idf * naming)
      match.weight += match.wordWeight - before
      match.word = word
      match.termCount++
      matches.set(name, match)
    }
  }
  return matches
}
