import { chunkPage } from '../../content/pages/chunk-page.ts'
import { bootstrapIntervals } from '../../search/evaluation/bootstrap-intervals.ts'
import { rankJudgedQueries } from '../../search/evaluation/rank-judged-queries.ts'
import { measureQuery, measureRetrieval, qualityMetrics } from '../../search/evaluation/retrieval-metrics.ts'
import { formatTable, type Output } from '../output.ts'
import { countOf } from '../../contract/count-of.ts'
import { formatRatio } from './score-answer.ts'

/** `docent eval retrieval`: scores search on a corpus with labelled queries. Needs neither a server nor a model. */
export async function evaluateRetrieval(output: Output, folder: string): Promise<void> {
  output.progress(`Indexing ${folder} and running its queries …`)
  const rankings = await rankJudgedQueries(folder, { chunkPage })
  const report = measureRetrieval(rankings)
  output.result(report, () => {
    const intervals = bootstrapIntervals(rankings.map(measureQuery))
    const rows = qualityMetrics.map((metric) => {
      const [low, high] = intervals[metric]
      return [metric, formatRatio(report[metric]), `${formatRatio(low)} to ${formatRatio(high)}`]
    })
    const { queries, p50Ms, p95Ms } = report
    const table = formatTable(['measure', 'average', '95 % interval'], rows)
    return `${table}\n\n${countOf(queries, 'query', 'queries')}, ${p50Ms.toFixed(1)} ms at the median, ${p95Ms.toFixed(1)} ms at the 95th percentile`
  })
}
