/**
 * Folders that import each other in a circle, each circle once, as the folders on the way and the first one again.
 *
 * A folder and the folders inside of it count as one step of each other's work and may import both ways: a composition
 * and what its parts share are in the outer folder.
 *
 * @param edges Folder to the folders that its files import.
 */
export function findFolderCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const circles: string[][] = []
  const finished = new Set<string>()
  const visit = (folder: string, way: readonly string[]): void => {
    const start = way.indexOf(folder)
    if (start !== -1) circles.push([...way.slice(start), folder])
    if (start !== -1 || finished.has(folder)) return
    for (const next of edges.get(folder) ?? []) if (!isNested(folder, next)) visit(next, [...way, folder])
    finished.add(folder)
  }
  for (const folder of edges.keys()) visit(folder, [])
  return circles
}

function isNested(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
}
