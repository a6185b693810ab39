import type { IndexFile } from '../index-file/index-file.ts'
import type { LinkQueries } from '../link-queries/list-link-queries.ts'
import { spreadOverPages } from '../ranking/order-candidates.ts'
import { fuseCandidates, runSearch } from '../search-index-file.ts'
import { chooseFusion, type Fusion, fusionWeights } from './choose-fusion.ts'
import type { VectorIndex } from './vector-index.ts'

/** Ten pages are usually among as many passages. */
const passagesMax = 30

/**
 * Measures whether a model's vectors find more of a site than words alone: asks the site's own link texts, and looks
 * the rank of the page that each one leads to. Takes some milliseconds per query.
 *
 * @param getVector The vector of a query's text, or null if it has none.
 */
export function measureFusion(
  index: IndexFile,
  vectors: VectorIndex,
  { reader, queries }: LinkQueries,
  getVector: (text: string) => Float32Array | null,
): Fusion {
  const qualities = fusionWeights.map(() => new Array<number>())
  const alone: number[] = []
  const rate = (chunks: readonly { chunk: number }[], path: string) => {
    const paths = chunks.map(({ chunk }) => index.pages[index.chunkPages[chunk] ?? -1]?.path)
    return rateRank([...new Set(paths)].indexOf(path) + 1)
  }
  for (const { text, path } of queries) {
    const question = getVector(text)
    if (question === null) continue
    const query = { text, limit: passagesMax, filter: {}, ...reader }
    const { byWords, near } = runSearch(index, query, { meaning: { vectors, question } })
    fusionWeights.forEach((weight, place) => {
      qualities[place]?.push(rate(spreadOverPages(index, fuseCandidates(byWords, near, weight), passagesMax), path))
    })
    alone.push(rate(near, path))
  }
  return chooseFusion(qualities, alone)
}

/** The mean of two measures: whether the page is among the first five, and nDCG of the first ten. @param rank From 1, 0 if not found. */
export function rateRank(rank: number): number {
  if (rank < 1 || rank > 10) return 0
  return (Number(rank <= 5) + 1 / Math.log2(rank + 1)) / 2
}
