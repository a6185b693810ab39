import type { IndexFile } from '../index-file/index-file.ts'
import { getPageNames, type PageName } from './page-names.ts'
import type { NamedTerm } from './find-named-stop-words.ts'

interface NameMatch {
  termCount: number
  /** Weight of the query's words in the name. */
  weight: number
  /** The word matched last, and how much of its weight. */
  word: number
  wordWeight: number
}

/** A page named by a stop word lacks its share of the score, so its topic may exceed 1; at most this. */
const topicMax = 3

/**
 * How far a query is about a page, by page: the share of the query that is in the page's name, times the square of the
 * share of the name that is in the query. 1 if both say the same.
 *
 * An identifier counts once, however many terms it consists of; otherwise `client.rows.find()` would be about anything
 * rather than about the page "find".
 *
 * @param scored Terms that the scores count; those of one word follow each other.
 * @param stopWords Terms that only names count.
 */
export function measureTopics(
  index: IndexFile,
  scored: readonly NamedTerm[],
  stopWords: readonly NamedTerm[],
): Map<number, number> {
  const named = new Set(stopWords.map(({ term }) => term))
  const others = scored.filter(({ term, naming }) => naming > 0 && !named.has(term))
  const weights = weighWords([...stopWords, ...others])
  const whole = Math.max(sum(weighWords(others)), sum(weights) / topicMax)
  const matches = matchNames(index, [...stopWords, ...others], weights)
  const topics = new Map<number, number>()
  for (const [{ page, termCount }, match] of matches) {
    const topic = (match.weight / whole) * (match.termCount / termCount) ** 2
    topics.set(page, Math.max(topics.get(page) ?? 0, topic))
  }
  return topics
}

/** A word weighs as much as its rarest term. */
function weighWords(terms: readonly NamedTerm[]): Map<number, number> {
  const weights = new Map<number, number>()
  for (const { word, idf } of terms) weights.set(word, Math.max(weights.get(word) ?? 0, idf))
  return weights
}

const sum = (weights: ReadonlyMap<number, number>) => weights.values().reduce((total, weight) => total + weight, 0)

function matchNames(
  index: IndexFile,
  terms: readonly NamedTerm[],
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
