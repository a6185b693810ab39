import { listMutants, type Mutant } from './list-mutants.ts'

/** A mutant of one of several files. */
export interface FileMutant extends Mutant {
  /** From the root of the tree, with forward slashes. */
  path: string
}

/**
 * Puts the lines that can be changed into a random order, and the changes of each line likewise. All lines are equally
 * likely, so that a line with many operators is not tried more often.
 *
 * @param sources Text of the files by path.
 * @param random In [0, 1); the same numbers make the same choice.
 * @returns One list of changes for each line. The first that compiles is the one to try.
 */
export function chooseMutants(sources: ReadonlyMap<string, string>, random: () => number): FileMutant[][] {
  const lines: FileMutant[][] = []
  for (const [path, source] of sources) {
    const mutants = listMutants(path, source).map((mutant) => ({ ...mutant, path }))
    lines.push(...Map.groupBy(mutants, ({ line }) => line).values())
  }
  return shuffle(lines, random).map((mutants) => shuffle(mutants, random))
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item)
}
