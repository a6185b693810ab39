import { addToList } from '../base/add-to-list.ts'
import type { Vector } from './question-vectors.ts'

export interface Group {
  /** Indexes of its vectors. */
  members: number[]
  sum: Vector
  isFixed: boolean
}

interface Pair {
  similarity: number
  one: number
  other: number
}

/** Bounds the time per vector: its rarest terms are followed, up to this number of others. */
const visitedMax = 1_500
const neighboursMax = 24

export interface SimilarityBounds {
  /** Least average similarity of two groups, above 0. */
  joined: number
  /** Added to it with each doubling of the smaller group, twice at most: a wrong pair of large groups joins many unlike questions. */
  raise: number
  /** Least average similarity of a group and a vector that is alone in the end. */
  adopted: number
}
const raisedMax = 2

/**
 * Joins the two groups that are most alike on average until none are alike enough (UPGMA). The average over all pairs of
 * two groups is the scalar product of their sums, so no pair is looked at twice. What is then left alone joins the group that
 * it is most like.
 *
 * @param vectors Of unit length.
 * @param isFixed Two groups with such a vector each are never joined.
 * @returns In no particular order; every vector is in one group. Pure and deterministic.
 */
export function joinSimilar(
  vectors: readonly Vector[],
  isFixed: (index: number) => boolean,
  bounds: SimilarityBounds,
): Group[] {
  const groups = vectors.map((vector, index): Group | null => ({
    members: [index],
    sum: new Map(vector),
    isFixed: isFixed(index),
  }))
  const neighbours = vectors.map(() => new Set<number>())
  const queue = new PairQueue()
  const compare = (one: number, other: number) => {
    const [a, b] = [groups[one], groups[other]]
    if (!a || !b || (a.isFixed && b.isFixed)) return
    const similarity = scalarProduct(a.sum, b.sum) / (a.members.length * b.members.length)
    const raised = Math.min(raisedMax, Math.log2(Math.min(a.members.length, b.members.length)))
    if (similarity < bounds.joined + bounds.raise * raised) return
    neighbours[one]?.add(other)
    neighbours[other]?.add(one)
    queue.add({ similarity, one: Math.min(one, other), other: Math.max(one, other) })
  }
  const nearest = findNeighbours(vectors)
  for (const [one, others] of nearest.entries())
    for (const other of others) if (other < one || !neighbours[other]?.has(one)) compare(one, other)
  for (let pair = queue.take(); pair !== undefined; pair = queue.take()) {
    const [a, b] = [groups[pair.one], groups[pair.other]]
    if (!a || !b) continue
    const joined = groups.length
    groups.push(merge(a, b))
    const near = new Set([...(neighbours[pair.one] ?? []), ...(neighbours[pair.other] ?? [])])
    neighbours.push(new Set())
    groups[pair.one] = null
    groups[pair.other] = null
    for (const other of near) if (groups[other]) compare(joined, other)
  }
  return adoptSingles(
    groups.filter((group) => group !== null),
    nearest,
    bounds.adopted,
  )
}

function adoptSingles(groups: readonly Group[], nearest: readonly number[][], similarityMin: number): Group[] {
  const groupOf = new Map(groups.flatMap((group) => group.members.map((index) => [index, group] as const)))
  const adopted = new Set<Group>()
  for (const single of groups) {
    const [index = 0] = single.members
    if (single.members.length > 1) continue
    let best = { group: single, similarity: similarityMin }
    for (const group of new Set(nearest[index]?.flatMap((other) => groupOf.get(other) ?? []))) {
      if (single.isFixed && group.isFixed) continue
      const similarity = scalarProduct(single.sum, group.sum) / group.members.length
      if (group.members.length > 1 && similarity >= best.similarity) best = { group, similarity }
    }
    if (best.group === single) continue
    best.group.members.push(index)
    addTo(best.group.sum, single.sum)
    best.group.isFixed ||= single.isFixed
    adopted.add(single)
  }
  return groups.filter((group) => !adopted.has(group))
}

function merge(a: Group, b: Group): Group {
  const [large, small] = a.sum.size >= b.sum.size ? [a, b] : [b, a]
  addTo(large.sum, small.sum)
  return { members: [...a.members, ...b.members], sum: large.sum, isFixed: a.isFixed || b.isFixed }
}

function addTo(sum: Vector, vector: Vector): void {
  for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight)
}

/** For each vector, the most similar others. */
function findNeighbours(vectors: readonly Vector[]): number[][] {
  const postings = new Map<string, number[]>()
  vectors.forEach((vector, index) => {
    for (const term of vector.keys()) addToList(postings, term, index)
  })
  return vectors.map((vector, index) => {
    const shared = new Map<number, number>()
    let left = visitedMax
    const rarest = [...vector].map(([term, weight]) => ({ weight, holders: postings.get(term) ?? [], term }))
    rarest.sort((one, other) => one.holders.length - other.holders.length || (one.term < other.term ? -1 : 1))
    for (const { weight, holders, term } of rarest) {
      for (const other of holders.slice(0, left)) {
        if (other !== index) shared.set(other, (shared.get(other) ?? 0) + weight * (vectors[other]?.get(term) ?? 0))
      }
      left -= Math.min(left, holders.length)
    }
    const best = [...shared].sort(([a, one], [b, other]) => other - one || a - b)
    return best.slice(0, neighboursMax).map(([other]) => other)
  })
}

export function scalarProduct(one: Vector, other: Vector): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one]
  let sum = 0
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0)
  return sum
}

/** A binary heap: most alike first, on a tie the oldest. */
class PairQueue {
  readonly #pairs: Pair[] = []

  add(pair: Pair): void {
    const pairs = this.#pairs
    let place = pairs.push(pair) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = pairs[above]
      if (parent === undefined || !isBefore(pair, parent)) break
      pairs[place] = parent
      place = above
    }
    pairs[place] = pair
  }

  take(): Pair | undefined {
    const pairs = this.#pairs
    const first = pairs[0]
    const last = pairs.pop()
    if (first === undefined || last === undefined || pairs.length === 0) return first
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      const [left, right] = [pairs[below], pairs[below + 1]]
      if (left !== undefined && right !== undefined && isBefore(right, left)) below += 1
      const child = pairs[below]
      if (child === undefined || !isBefore(child, last)) break
      pairs[place] = child
      place = below
    }
    pairs[place] = last
    return first
  }
}

function isBefore(one: Pair, other: Pair): boolean {
  if (one.similarity !== other.similarity) return one.similarity > other.similarity
  return one.one < other.one || (one.one === other.one && one.other < other.other)
}
