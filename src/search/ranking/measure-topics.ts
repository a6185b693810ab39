import type { IndexFile } from '../index-file/index-file.ts'
import { getPageNames, type NameMatches, type PageName, type PageNames } from './page-names.ts'
import type { NamedTerm } from './find-named-stop-words.ts'

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
  const { byTerm, matches } = getPageNames(index)
  const matched = matchNames(byTerm, matches, [...stopWords, ...others], weights)
  const topics = new Map<number, number>()
  for (const { id, page, termCount } of matched) {
    const topic = ((matches.weights[id] as number) / whole) * ((matches.termCounts[id] as number) / termCount) ** 2
    topics.set(page, Math.max(topics.get(page) ?? 0, topic))
    matches.termCounts[id] = 0
    matches.weights[id] = 0
    matches.wordWeights[id] = 0
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
  names: PageNames['byTerm'],
  matches: NameMatches,
  terms: readonly NamedTerm[],
  weights: ReadonlyMap<number, number>,
): PageName[] {
  const matched: PageName[] = []
  const { termCounts, words, wordWeights } = matches
  for (const { term, word, idf, naming } of terms) {
    const weight = weights.get(word) ?? 0
    for (const name of names.get(term) ?? []) {
      const { id } = name
      if (termCounts[id] === 0) matched.push(name)
      const before = words[id] === word ? (wordWeights[id] as number) : 0
      const after = Math.min(weight, before + idf * naming)
      matches.weights[id] = (matches.weights[id] as number) + (after - before)
      wordWeights[id] = after
      words[id] = word
      termCounts[id] = (termCounts[id] as number) + 1
    }
  }
  return matched
}
