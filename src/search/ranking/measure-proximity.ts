import { findTokens, type TokenPlaces } from '../index-file/token-row.ts'
import type { ScoredTerm } from './score-chunks.ts'

/** Words further apart than this are unrelated. */
const distanceMax = 12

const places: TokenPlaces = { length: 0, slots: [], positions: [] }

/**
 * How close adjacent words of the query are in a chunk: for every adjacent pair, the smaller weight divided by their
 * smallest distance.
 *
 * @param terms In order of the query.
 * @param slots By term id: its place in `terms`, from 1; see `findTokens`.
 */
export function measureProximity(tokenRow: Uint8Array, terms: readonly ScoredTerm[], slots: Uint8Array): number {
  findTokens(tokenRow, slots, places)
  if (places.length < 2) return 0
  // By slot, with one more at either end.
  const lastSeen = new Float64Array(terms.length + 2).fill(-Infinity)
  /** Of a term and the next one. */
  const nearest = new Float64Array(terms.length + 2).fill(Infinity)
  for (let place = 0; place < places.length; place++) {
    const slot = places.slots[place] as number
    const position = places.positions[place] as number
    lastSeen[slot] = position
    const toPrevious = position - (lastSeen[slot - 1] as number)
    const toNext = position - (lastSeen[slot + 1] as number)
    if (toPrevious < (nearest[slot - 1] as number)) nearest[slot - 1] = toPrevious
    if (toNext < (nearest[slot] as number)) nearest[slot] = toNext
  }
  let sum = 0
  for (let slot = 1; slot < terms.length; slot++) {
    const distance = Math.max(1, nearest[slot] as number)
    const weight = Math.min(terms[slot - 1]?.idf ?? 0, terms[slot]?.idf ?? 0)
    if (distance <= distanceMax) sum += weight / distance
  }
  return sum
}
