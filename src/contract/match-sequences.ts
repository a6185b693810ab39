/**
 * Matches equal items of two sequences so that as few as possible are left over on either side.
 *
 * @param editsMax Most items left over; memory grows with its square, time with it.
 * @returns Pairs of indexes, ascending on both sides; null if more items are left over.
 * @see Myers: An O(ND) Difference Algorithm and Its Variations, Algorithmica 1986.
 */
export function matchSequences(
  a: readonly string[],
  b: readonly string[],
  editsMax = 600,
): [a: number, b: number][] | null {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const middle = matchMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), editsMax)
  if (middle === null) return null
  return [
    ...countUp(head, (index) => [index, index] as [number, number]),
    ...middle.map(([one, other]): [number, number] => [one + head, other + head]),
    ...countUp(tail, (index) => [a.length - tail + index, b.length - tail + index] as [number, number]),
  ]
}

function countUp<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** The greedy forward search: `ends` holds, per diagonal, how far into `a` a path of `edits` edits reaches. */
function matchMiddle(a: readonly string[], b: readonly string[], editsMax: number): [number, number][] | null {
  const most = Math.min(editsMax, a.length + b.length)
  const ends = new Int32Array(2 * most + 3)
  const middle = most + 1
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(ends.slice())
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepTo(ends, middle, { edits, diagonal })
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      ends[middle + diagonal] = x
      if (x >= a.length && x - diagonal >= b.length) return traceBack(trace, middle, [a.length, b.length])
    }
  }
  return null
}

interface PathPlace {
  edits: number
  diagonal: number
}

function isFromAbove(ends: Int32Array, middle: number, { edits, diagonal }: PathPlace): boolean {
  const [left = 0, above = 0] = [ends[middle + diagonal - 1], ends[middle + diagonal + 1]]
  return diagonal === -edits || (diagonal !== edits && left < above)
}

function stepTo(ends: Int32Array, middle: number, place: PathPlace): number {
  if (isFromAbove(ends, middle, place)) return ends[middle + place.diagonal + 1] ?? 0
  return (ends[middle + place.diagonal - 1] ?? 0) + 1
}

function traceBack(trace: readonly Int32Array[], middle: number, end: [number, number]): [number, number][] {
  const matches: [number, number][] = []
  let [x, y] = end
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const ends = trace[edits] ?? new Int32Array()
    const diagonal = x - y
    const before = isFromAbove(ends, middle, { edits, diagonal }) ? diagonal + 1 : diagonal - 1
    const start = stepTo(ends, middle, { edits, diagonal })
    while (x > start) matches.push([--x, x - diagonal])
    x = ends[middle + before] ?? 0
    y = x - before
  }
  return matches.reverse()
}
