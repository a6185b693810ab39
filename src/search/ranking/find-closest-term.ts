import type { IndexFile } from '../index-file/index-file.ts'
import { countVisible, type SearchScope } from './search-scope.ts'

/** Short words have too many neighbours. */
const correctedCharsMin = 4
const twoErrorsCharsMin = 8
const comparedTermsMax = 50_000
const lookedUpTermsMax = 20

/** Whether a chunk in scope contains the term. */
export function isKnown(index: IndexFile, scope: SearchScope, term: string): boolean {
  return countVisible(index, scope, term) > 0
}

/** How many errors a word of this length may have: two in words of eight letters and more. */
export function countErrorsMax(term: string): number {
  return term.length >= twoErrorsCharsMin ? 2 : term.length >= correctedCharsMin ? 1 : 0
}

/**
 * The term in scope closest to a mistyped one, or null: letters added, lost, changed or swapped; the first letter must
 * match. The most frequent one wins ties.
 */
export function findClosestTerm(
  index: IndexFile,
  scope: SearchScope,
  term: string,
  errorsMax = countErrorsMax(term),
): string | null {
  if (errorsMax === 0 || !/^\p{L}+$/u.test(term)) return null
  const candidates = index
    .listTerms(term.slice(0, 1), term.length - errorsMax, term.length + errorsMax, comparedTermsMax)
    .map((candidate) => ({ candidate, distance: measureDistance(term, candidate, errorsMax) }))
    .filter(({ candidate, distance }) => distance <= errorsMax && /^\p{L}+$/u.test(candidate))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, lookedUpTermsMax)
    .map((entry) => ({ ...entry, count: countVisible(index, scope, entry.candidate) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.distance - other.distance || other.count - one.count)
  return candidates[0]?.candidate ?? null
}

/** Optimal string alignment; any number above `distanceMax` means too far. */
export function measureDistance(one: string, other: string, distanceMax: number): number {
  if (Math.abs(one.length - other.length) > distanceMax) return distanceMax + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      )
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwap) distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    if (least > distanceMax) return distanceMax + 1
    beforePrevious = previous
    previous = current
  }
  return previous[other.length] ?? distanceMax + 1
}
