/**
 * How many letters were added, left out, replaced or swapped with their neighbour between two names; more than
 * `typosMax` if that many.
 */
export function measureTypos(one: string, other: string, typosMax: number): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    if (Math.min(...current) > typosMax) return typosMax + 1
    beforePrevious = previous
    previous = current
  }
  return previous.at(-1) ?? 0
}
