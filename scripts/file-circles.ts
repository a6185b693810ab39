/**
 * Groups of files that all reach each other by imports, type imports included: the strongly connected components of more
 * than `filesMax` files. Two files may share a type; a large group can only be understood as a whole.
 *
 * @param edges File to the files it imports.
 * @see Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1972.
 */
export function findFileCircles(edges: ReadonlyMap<string, readonly string[]>, filesMax: number): string[][] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  const open: string[] = []
  const visit = (file: string): number => {
    const index = order.size
    order.set(file, index)
    open.push(file)
    let lowest = index
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next))
      else if (open.includes(next)) lowest = Math.min(lowest, order.get(next) ?? index)
    }
    if (lowest === index) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > filesMax) circles.push(circle.sort())
    }
    return lowest
  }
  for (const file of edges.keys()) if (!order.has(file)) visit(file)
  return circles
}
