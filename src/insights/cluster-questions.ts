import { analyzeQuery } from '../base/text-analysis/analyze-text.ts'

export interface ClusteredQuestion {
  id: string
  text: string
  /** UTC milliseconds. */
  askedAt: number
}

/** Questions about the same topic. */
export interface QuestionCluster<Question extends ClusteredQuestion> {
  /** The question that the others resemble; a seed need not be among `questions`. */
  leader: ClusteredQuestion
  /** Oldest first, including the leader if it is one of them. Empty only for a seed without similar questions. */
  questions: Question[]
  /** Words that the questions share, most significant first. */
  terms: string[]
}

/**
 * Requires that about half of the content matches. Lower values group questions that share only one significant word.
 */
const likenessMin = 0.45
const wordsMax = 24
/** In scripts without spaces, a word has as many terms as characters. */
const termsMax = 64
const termsShown = 6
const shownCharsMax = 60

type Vector = ReadonlyMap<string, number>

/**
 * Groups questions without a model: each becomes a tf-idf vector and joins the leader with the highest cosine
 * similarity, or leads a new group. Oldest first, so that groups keep their leaders as newer questions arrive.
 * Deterministic, regardless of input order. Pure.
 *
 * @param questions With unique ids. Time is proportional to the pairs that share a word.
 * @param seeds Initial leaders, in order.
 * @returns The groups of the seeds first, then the others in the order of their leaders.
 */
export function clusterQuestions<Question extends ClusteredQuestion>(
  questions: readonly Question[],
  seeds: readonly ClusteredQuestion[] = [],
): QuestionCluster<Question>[] {
  const sorted = questions.toSorted((one, other) => one.askedAt - other.askedAt || (one.id < other.id ? -1 : 1))
  const words = new Map([...seeds, ...sorted].map((question) => [question.id, readWords(question.text)]))
  const rarity = weighWords([...words.values()])
  const groups = new Leaders<Question>()
  const vectorOf = ({ id }: ClusteredQuestion) => toUnitVector(words.get(id) ?? new Map(), rarity)
  for (const seed of seeds) groups.lead(seed, vectorOf(seed))
  for (const question of sorted) {
    const vector = vectorOf(question)
    const group = groups.findLike(vector) ?? groups.lead(question, vector)
    group.questions.push(question)
  }
  return groups.all.map(({ leader, questions: members }) => ({
    leader,
    questions: members,
    terms: listTerms(members.length === 0 ? [leader] : members, words, rarity),
  }))
}

/** The groups so far, indexed by the words of their leaders. */
class Leaders<Question extends ClusteredQuestion> {
  readonly all: { leader: ClusteredQuestion; questions: Question[] }[] = []
  readonly #byWord = new Map<string, { group: number; weight: number }[]>()

  lead(leader: ClusteredQuestion, vector: Vector) {
    const group = { leader, questions: [] as Question[] }
    for (const [word, weight] of vector) {
      const entries = this.#byWord.get(word) ?? []
      entries.push({ group: this.all.length, weight })
      this.#byWord.set(word, entries)
    }
    this.all.push(group)
    return group
  }

  /** Returns the most similar group; on a tie the oldest. */
  findLike(vector: Vector) {
    const likeness = new Map<number, number>()
    for (const [word, weight] of vector) {
      for (const entry of this.#byWord.get(word) ?? []) {
        likeness.set(entry.group, (likeness.get(entry.group) ?? 0) + weight * entry.weight)
      }
    }
    let best: { group: number; value: number } | null = null
    for (const [group, value] of likeness) {
      if (value < likenessMin) continue
      if (best === null || value > best.value || (value === best.value && group < best.group)) best = { group, value }
    }
    return best === null ? undefined : this.all[best.group]
  }
}

/** Maps the terms of a question to the words as written. A question without words is its own term. */
function readWords(text: string): Map<string, string> {
  const words = new Map<string, string>()
  for (const { surface, wholes, parts } of analyzeQuery(text, null, wordsMax)) {
    for (const term of [...wholes, ...parts]) {
      if (words.size < termsMax && !words.has(term)) words.set(term, surface.toLowerCase().slice(0, shownCharsMax))
    }
  }
  if (words.size > 0) return words
  const only = text.trim().toLowerCase()
  return words.set(only, only.slice(0, shownCharsMax))
}

function weighWords(all: readonly ReadonlyMap<string, string>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const words of all) for (const term of words.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map([...counts].map(([term, count]) => [term, Math.log(1 + all.length / count)]))
}

function toUnitVector(words: ReadonlyMap<string, string>, rarity: ReadonlyMap<string, number>): Vector {
  const weights = [...words.keys()].map((term) => [term, rarity.get(term) ?? 0] as const)
  const length = Math.hypot(...weights.map(([, weight]) => weight))
  return new Map(weights.map(([term, weight]) => [term, weight / length]))
}

/** Ranks by number of questions times rarity; lists each word once, however many terms it has. */
function listTerms(
  questions: readonly ClusteredQuestion[],
  words: ReadonlyMap<string, ReadonlyMap<string, string>>,
  rarity: ReadonlyMap<string, number>,
): string[] {
  const sums = new Map<string, { weight: number; surface: string }>()
  for (const { id } of questions) {
    for (const [term, surface] of words.get(id) ?? []) {
      const weight = (sums.get(term)?.weight ?? 0) + (rarity.get(term) ?? 0)
      sums.set(term, { weight, surface: sums.get(term)?.surface ?? surface })
    }
  }
  const ranked = [...sums].sort(([a, one], [b, other]) => other.weight - one.weight || (a < b ? -1 : 1))
  return [...new Set(ranked.map(([, { surface }]) => surface))].slice(0, termsShown)
}
