import { basename, dirname, join } from 'node:path/posix'

/** Files by path, with forward slashes, each with the files it refers to. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** A quoted path to a source file: imports of every kind, workers, and programs that are started. */
const quotedPath = /['"](\.{1,2}\/[^'"\n]+\.tsx?)['"]/g

/** @param sources Text of the files by path. */
export function readImportGraph(sources: ReadonlyMap<string, string>): ImportGraph {
  const graph = new Map<string, string[]>()
  for (const [path, source] of sources) {
    const named = Array.from(source.matchAll(quotedPath), ([, relative = '']) => join(dirname(path), relative))
    graph.set(
      path,
      named.filter((target) => sources.has(target)),
    )
  }
  return graph
}

/**
 * The tests that are most likely to notice a change of a file: the one of its name, those that import it, those of its
 * folder that reach it, those whose name shares words with its name or with the changed line, and then those that reach it
 * soonest.
 *
 * @param limit Most files to return.
 * @returns Paths, nearest first.
 */
export function findNearestTests(
  { path, line }: { path: string; line: string },
  graph: ImportGraph,
  limit: number,
): string[] {
  const words = { path: wordsOf(stemOf(path)), line: wordsOf(line) }
  const distances = measureDistances(path, graph)
  const tests = [...distances.keys()].filter((file) => /\.test\.tsx?$/.test(file))
  const rank = (test: string) => [
    stemOf(test) === stemOf(path) && dirname(test) === dirname(path) ? 0 : 1,
    distances.get(test) === 1 ? 0 : 1,
    dirname(test) === dirname(path) ? 0 : 1,
    -countShared(test, words.path),
    -countShared(test, words.line),
    distances.get(test) ?? 0,
  ]
  const ranked = tests.map((test) => ({ test, rank: rank(test) }))
  return ranked
    .toSorted((a, b) => compareRanks(a.rank, b.rank) || a.test.localeCompare(b.test))
    .slice(0, limit)
    .map(({ test }) => test)
}

/** Distance of every file that a change of one file can reach. */
function measureDistances(path: string, graph: ImportGraph): Map<string, number> {
  const users = new Map<string, string[]>()
  for (const [user, named] of graph) for (const used of named) users.set(used, [...(users.get(used) ?? []), user])
  const distances = new Map([[path, 0]])
  for (const [reached, distance] of distances)
    for (const user of users.get(reached) ?? []) if (!distances.has(user)) distances.set(user, distance + 1)
  return distances
}

function stemOf(path: string): string {
  return basename(path).split('.')[0] ?? ''
}

/** Words of a name or of code, without an `s` at their end: `keys.test.ts` is about `key-directory.ts`. */
function wordsOf(text: string): Set<string> {
  const words =
    text
      .replace(/([a-z])(?=[A-Z])/g, '$1 ')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  return new Set(words.map((word) => word.replace(/s$/, '')))
}

function countShared(test: string, words: ReadonlySet<string>): number {
  return [...wordsOf(stemOf(test))].filter((word) => words.has(word)).length
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
