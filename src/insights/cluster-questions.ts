import { analyzeQuery } from '../base/text-analysis/analyze-text.ts'

/** A question to be grouped. */
export interface ClusteredQuestion {
  id: string
  text: string
  /** UTC milliseconds. */
  askedAt: number
}

/** Questions about the same thing. */
export interface QuestionCluster<Question extends ClusteredQuestion> {
  /** The one that the others are like; of a seed, it may be none of the questions. */
  leader: ClusteredQuestion
  /** With the leader if it is one of them; oldest first. Empty only for a seed that no question is like. */
  questions: Question[]
  /** Words that the questions share, the most telling first. */
  terms: string[]
}

/** Half of what two questions say is the same. Lower values join questions that share but one telling word. */
const likenessMin = 0.45
const wordsMax = 24
/** A word of a script without spaces has as many terms as characters. */
const termsMax = 64
const termsShown = 6
const shownCharsMax = 60

type Vector = ReadonlyMap<string, number>

/**
 * Groups questions without a model: each becomes the words that tell something, weighted by how rare they are among
 * all (tf-idf), and joins the leader that it is most like (cosine), or leads a group of its own. Oldest first, so that a
 * group keeps its leader while newer questions come. Deterministic, whatever the order of the input. Pure.
 *
 * @param questions No id twice. Takes time in proportion to pairs that share a word.
 * @param seeds Lead groups from the beginning, in this order.
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

/** The groups so far, found by the words of their leaders. */
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

  /** The most like one; of several that are equally like, the one that leads longest. */
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

/** What a question says, by term, with the word as it was written. A question without any word is its own word. */
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

/** By how many questions hold them, times how rare they are; a word once, however many terms it has. */
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
