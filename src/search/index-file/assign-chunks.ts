import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'

/**
 * Assigns chunks to pages.
 *
 * A chunk names its page only by path, and versions of a site may share paths. The chunks of one page are consecutive
 * with ascending ordinals, so runs of chunks for a shared path go to its pages in order.
 *
 * @returns One list per page, in the order of `pages`.
 * @throws {Error} if a chunk has no page, or the runs of a shared path do not match its pages.
 */
export function assignChunks(pages: readonly SitePage[], chunks: readonly Chunk[]): Chunk[][] {
  const runsByPath = new Map<string, Chunk[][]>()
  for (const chunk of chunks) {
    const runs = getOrCreate(runsByPath, chunk.pagePath)
    const last = runs.at(-1)
    if (last && (last.at(-1)?.ordinal ?? -1) < chunk.ordinal) last.push(chunk)
    else runs.push([chunk])
  }
  const pagesByPath = new Map<string, number[]>()
  pages.forEach((page, index) => getOrCreate(pagesByPath, page.path).push(index))

  const assigned: Chunk[][] = pages.map(() => [])
  for (const [path, runs] of runsByPath) {
    const owners = pagesByPath.get(path) ?? []
    const filled = owners.length === runs.length ? owners : owners.filter((page) => pages[page]?.markdown.trim() !== '')
    if (filled.length !== runs.length) {
      throw new Error(
        `The index needs one run of chunks per page, but ${path} has ${owners.length} pages and ${runs.length} runs. Pass the chunks in the order of their pages.`,
      )
    }
    runs.forEach((run, index) => (assigned[filled[index] as number] = run))
  }
  return assigned
}

function getOrCreate<Value>(map: Map<string, Value[]>, key: string): Value[] {
  const known = map.get(key)
  if (known) return known
  const created: Value[] = []
  map.set(key, created)
  return created
}
