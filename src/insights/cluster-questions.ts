import { joinSimilar, scalarProduct } from './join-similar.ts'
import { type ComparedQuestion, makeQuestionVectors, type Vector } from './question-vectors.ts'

export interface ClusteredQuestion extends ComparedQuestion {
  id: string
  /** UTC milliseconds. */
  askedAt: number
}

/** Questions about the same topic. */
export interface QuestionCluster<Question extends ClusteredQuestion> {
  /** The oldest question, or the seed; a seed need not be among `questions`. */
  leader: ClusteredQuestion
  /** The question that is most like the others, which names the topic. */
  central: ClusteredQuestion
  /** Oldest first, including the leader if it is one of them. Empty only for a seed without similar questions. */
  questions: Question[]
  /** Words that the questions share, most significant first. */
  terms: string[]
}

/** See `npm run bench -- topics`. */
const similarityBounds = { joined: 0.3, raise: 0.06, adopted: 0.18 }
const termsShown = 6

/**
 * Groups questions by topic without a model. A seed keeps its group: groups of two seeds are never joined, so that a
 * group keeps its leader as newer questions arrive. Deterministic, regardless of input order. Pure.
 *
 * @param questions With unique ids. Ten thousand take a few seconds.
 * @param seeds Initial leaders, in order.
 * @returns The groups of the seeds first, then the others in the order of their leaders.
 */
export function clusterQuestions<Question extends ClusteredQuestion>(
  questions: readonly Question[],
  seeds: readonly ClusteredQuestion[] = [],
): QuestionCluster<Question>[] {
  const asked = new Map(questions.map((question) => [question.id, question]))
  const points: ClusteredQuestion[] = [...questions, ...seeds.filter(({ id }) => !asked.has(id))]
  points.sort((one, other) => one.askedAt - other.askedAt || (one.id < other.id ? -1 : 1))
  const places = new Map(seeds.map(({ id }, place) => [id, place]))
  const { vectors, surfaces } = makeQuestionVectors(points)
  const groups = joinSimilar(vectors, (index) => places.has(points[index]?.id ?? ''), similarityBounds)
  const clusters = groups.map(({ members, sum }) => {
    members.sort((one, other) => one - other)
    const all = members.flatMap((index) => points[index] ?? [])
    const isLed = all.find(({ id }) => places.has(id))
    return {
      place: isLed === undefined ? seeds.length + (members[0] ?? 0) : (places.get(isLed.id) ?? 0),
      leader: isLed ?? all[0],
      central: points[findCentral(members, vectors, sum)],
      questions: all.flatMap(({ id }) => asked.get(id) ?? []),
      terms: listTerms(members, sum, surfaces),
    }
  })
  return clusters
    .sort((one, other) => one.place - other.place)
    .flatMap(({ leader, central, questions: members, terms }) =>
      leader === undefined || central === undefined ? [] : [{ leader, central, questions: members, terms }],
    )
}

function findCentral(members: readonly number[], vectors: readonly Vector[], sum: Vector): number {
  let best = { index: members[0] ?? 0, similarity: -1 }
  for (const index of members) {
    const similarity = scalarProduct(vectors[index] ?? new Map(), sum)
    // Sums of the same weights in another order differ in the last digits.
    if (similarity > best.similarity + 1e-9) best = { index, similarity }
  }
  return best.index
}

/** Lists each word once, however many terms it has. */
function listTerms(
  members: readonly number[],
  sum: ReadonlyMap<string, number>,
  surfaces: readonly ReadonlyMap<string, string>[],
): string[] {
  const written = new Map<string, string>()
  for (const index of members) {
    for (const [term, surface] of surfaces[index] ?? []) if (!written.has(term)) written.set(term, surface)
  }
  const ranked = [...written].sort(([a], [b]) => (sum.get(b) ?? 0) - (sum.get(a) ?? 0) || (a < b ? -1 : 1))
  return [...new Set(ranked.map(([, surface]) => surface))].slice(0, termsShown)
}
