import { countBelow } from '../../base/count-below.ts'

/** Indexes of the longest ascending sequence among numbers, in order; null is left out. By patience sorting. */
export function findAscending(values: readonly (number | null)[]): Set<number> {
  /** By length of a sequence − 1: the least value that ends one, and its index. */
  const ends: number[] = []
  const lasts: number[] = []
  const before: number[] = []
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const length = countBelow(ends, value)
    before[index] = lasts[length - 1] ?? -1
    ends[length] = value
    lasts[length] = index
  }
  const found: number[] = []
  for (let index = lasts.at(-1) ?? -1; index !== -1; index = before[index] as number) found.push(index)
  return new Set(found.toReversed())
}
