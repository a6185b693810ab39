/** Unlike addresses of one folder share about half of their letter pairs. */
const similarityMin = 0.6
const candidatesMax = 500

/**
 * Finds the most similar address among those with the same last segment or the same parent. Reads the addresses on
 * first use.
 */
export function createNearestFinder(routes: ReadonlyMap<string, string>): (path: string) => string | null {
  let byLast: ReadonlyMap<string, string[]> | null = null
  let byParent: ReadonlyMap<string, string[]> | null = null
  return (path) => {
    byLast ??= Map.groupBy(routes.keys(), lastOf)
    byParent ??= Map.groupBy(routes.keys(), parentOf)
    const near = [
      ...(byLast.get(lastOf(path)) ?? []),
      ...(byParent.get(parentOf(path)) ?? []),
      ...(byParent.get(path) ?? []),
    ]
    return pickMostSimilar(path, near.slice(0, candidatesMax))
  }
}

/** Null if none of the addresses or anchors is similar. */
export function pickMostSimilar(path: string, candidates: readonly string[]): string | null {
  const measure = similarityTo(path)
  let best: { path: string; similarity: number } | null = null
  for (const candidate of candidates) {
    const similarity = measure(candidate)
    if (similarity >= similarityMin && similarity > (best?.similarity ?? 0)) best = { path: candidate, similarity }
  }
  return best?.path ?? null
}

function similarityTo(path: string): (candidate: string) => number {
  const wanted = pairsOf(path)
  const last = lastOf(path)
  return (candidate) => measureSimilarity(wanted, pairsOf(candidate)) + (lastOf(candidate) === last ? 0.5 : 0)
}

/** The candidates that are similar at all, best first. Case and extensions do not count. */
export function rankBySimilarity(path: string, candidates: readonly string[], limit: number): string[] {
  const bare = (text: string) => text.toLowerCase().replace(/\.\w{1,8}$/, '')
  const measure = similarityTo(bare(path))
  return candidates
    .map((candidate) => ({ candidate, similarity: measure(bare(candidate)) }))
    .filter(({ similarity }) => similarity > 0.2)
    .sort((one, other) => other.similarity - one.similarity || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

/** The last part of a path. */
export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function pairsOf(path: string): Set<string> {
  const pairs = new Set<string>()
  for (let index = 1; index < Math.min(path.length, 300); index++) pairs.add(path.slice(index - 1, index + 1))
  return pairs
}

/** The Dice coefficient of two sets. */
function measureSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((pair) => other.has(pair)).length
  return one.size + other.size === 0 ? 0 : (2 * shared) / (one.size + other.size)
}
