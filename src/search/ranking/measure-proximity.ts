import { visitTokenRow } from '../index-file/token-row.ts'
import type { ScoredTerm } from './score-chunks.ts'

/** Words further apart than this are unrelated. */
const distanceMax = 12

/**
 * How close adjacent words of the query are in a chunk: for every adjacent pair, the smaller weight divided by their
 * smallest distance.
 *
 * @param terms In order of the query.
 * @param slots By term id: its place in `terms`, from 1; see `visitTokenRow`.
 */
export function measureProximity(tokenRow: Uint8Array, terms: readonly ScoredTerm[], slots: Uint8Array): number {
  const lastSeen = terms.map(() => -Infinity)
  const nearest = terms.map(() => Infinity)
  visitTokenRow(tokenRow, slots, (slot, position) => {
    const index = slot - 1
    lastSeen[index] = position
    const toPrevious = position - (lastSeen[index - 1] ?? -Infinity)
    const toNext = position - (lastSeen[index + 1] ?? -Infinity)
    if (toPrevious < (nearest[index - 1] ?? 0)) nearest[index - 1] = toPrevious
    if (toNext < (nearest[index] ?? 0)) nearest[index] = toNext
  })
  let sum = 0
  for (let index = 0; index + 1 < terms.length; index++) {
    const distance = Math.max(1, nearest[index] ?? Infinity)
    const weight = Math.min(terms[index]?.idf ?? 0, terms[index + 1]?.idf ?? 0)
    if (distance <= distanceMax) sum += weight / distance
  }
  return sum
}
