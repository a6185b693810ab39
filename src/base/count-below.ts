/** How many of ascending numbers are less than a limit. */
export function countBelow(values: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] as number) < limit) low = middle + 1
    else high = middle
  }
  return low
}
