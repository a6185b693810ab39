import type { IndexFile } from '../index-file/index-file.ts'

export interface Calibration {
  unrelated: number
  related: number
}

/** Typical for many models; used if a site has too few public passages to measure. */
const usual: Calibration = { unrelated: 0.2, related: 0.6 }
const pairsMin = 8
const pairsMax = 1_000
/** If they are closer than this, the measurement is meaningless. */
const distanceMin = 0.05

/**
 * Calibrates a model's cosines on this site, because their range differs by model: the similarity of adjacent passages
 * of a page, and that of passages of different pages.
 *
 * @param chunks With vectors, ascending. Only of public pages: hidden content must not affect any reader's scores.
 */
export function calibrateSimilarity(
  { chunkPages }: Pick<IndexFile, 'chunkPages'>,
  chunks: readonly number[],
  measureCosine: (one: number, other: number) => number,
): Calibration {
  const neighbours: number[] = []
  const strangers: number[] = []
  const step = Math.max(1, Math.floor(chunks.length / pairsMax))
  const half = Math.floor(chunks.length / 2)
  for (let place = 0; place < chunks.length; place += step) {
    const chunk = chunks[place] as number
    const next = chunks[place + 1]
    const far = chunks[(place + half) % chunks.length] as number
    if (next === chunk + 1 && chunkPages[next] === chunkPages[chunk]) neighbours.push(measureCosine(chunk, next))
    if (chunkPages[far] !== chunkPages[chunk]) strangers.push(measureCosine(chunk, far))
  }
  if (neighbours.length < pairsMin || strangers.length < pairsMin) return usual
  const [related, unrelated] = [takeMedian(neighbours), takeMedian(strangers)]
  return related - unrelated < distanceMin ? usual : { related, unrelated }
}

const takeMedian = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] as number
