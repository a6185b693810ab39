import type { IndexFile } from '../index-file/index-file.ts'

export interface Calibration {
  unrelated: number
  related: number
}

/** What many models come to; used where a site has too few public passages to be measured. */
const usual: Calibration = { unrelated: 0.2, related: 0.6 }
const pairsMin = 8
const pairsMax = 1_000
/** Nearer together than this, the two say nothing. */
const distanceMin = 0.05

/**
 * Measures what the cosines of a model mean on this site, because each model has its own: how near passages are that
 * stand next to each other on a page, and how near two of different pages.
 *
 * @param chunks With vectors, ascending. Only of public pages: what is hidden must change no reader's scores.
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
