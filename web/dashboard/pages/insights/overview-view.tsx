import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import type { InsightsSummary } from '../../../../src/contract/insights.ts'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { type Bucket, fillBuckets } from './fill-buckets.ts'
import classes from './insights-page.module.css'
import { chartOf, QuestionChart } from './question-chart.tsx'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { queryOf } from '../../api/call.ts'
import { metrics, MetricView } from '../../shell/metric-view.tsx'
import { insightsFreshMs, toQueryBefore, toQuestionQuery } from '../../api/insights.ts'
import { language } from '../../../words/language.ts'
import { say, sayCount } from '../../../words/say.ts'

export function OverviewView({ scope: { filter } }: { scope: InsightsScope }) {
  const bucket = filter.days === 1 || filter.at !== undefined ? 'hour' : 'day'
  const summary = useSummary({ ...toQuestionQuery(filter), bucket })
  const before = useSummary({ ...toQueryBefore(filter), bucket })
  return (
    <Loaded query={summary}>
      {(summary) =>
        summary.total.questions === 0 ? (
          <EmptyState icon={<MessageCircleQuestion aria-hidden />} title={say('No questions')}>
            {say('No questions match these filters in this period. New reader questions appear automatically.')}
          </EmptyState>
        ) : (
          <>
            <Figures summary={summary} before={before.data ?? null} />
            <Charts summary={summary} before={before.data ?? null} />
            <Breakdowns summary={summary} />
          </>
        )
      }
    </Loaded>
  )
}

function useSummary(query: ReturnType<typeof toQuestionQuery> & Pick<InsightsSummary, 'bucket'>) {
  return useQuery({
    ...queryOf(insightOperations.getInsightsSummary, { query }),
    staleTime: insightsFreshMs,
    placeholderData: keepPreviousData,
  })
}

interface Compared {
  summary: InsightsSummary
  /** The period before; null while it is not known. */
  before: InsightsSummary | null
}

const toCounts = ({ total, durations }: InsightsSummary) => ({ ...total, firstTextMs: durations.firstTextMs })

function Figures({ summary, before }: Compared) {
  const series = fillBuckets(summary).map((bucket) => ({ ...bucket, firstTextMs: null }))
  const { broken } = summary.total
  const cost = summary.playgroundCostUsd
  return (
    <section className={classes.figures} aria-label={say('Figures')}>
      <div className={classes.metrics}>
        {metrics.map((metric) => (
          <MetricView
            key={metric.name}
            metric={metric}
            current={toCounts(summary)}
            previous={before && toCounts(before)}
            series={series}
          />
        ))}
      </div>
      <p className={classes.muted}>
        {say('Changes are relative to the previous period.')}
        {broken === 0
          ? null
          : ` ${sayCount(broken, '{count} answer failed or was abandoned.', '{count} answers failed or were abandoned.')}`}
        {cost === 0 ? null : ` ${say('The playground cost {cost} more.', { cost: describeMoney(cost) })}`}
      </p>
    </section>
  )
}

function Charts({ summary, before }: Compared) {
  const { change, search } = useInsightsSearch()
  const rows = fillBuckets(summary)
  const earlier = before && fillBuckets(before)
  const { bucket } = summary
  const open = ({ startsAt }: Bucket) =>
    change({ view: 'questions', at: startsAt, days: bucket === 'hour' ? 1 : search.days }, true)
  const onOpen = { hint: say('Click to read the questions'), open }
  return (
    <>
      <QuestionChart
        rows={rows}
        bucket={bucket}
        line={{ name: say('Period before'), valueOf: (row) => earlier?.[rows.indexOf(row)]?.questions ?? null }}
        onOpen={onOpen}
      />
      {summary.total.helpful + summary.total.unhelpful === 0 ? null : (
        <BarChart
          {...chartOf(rows, bucket)}
          onOpen={onOpen}
          title={bucket === 'day' ? say('Reader feedback by day (UTC)') : say('Reader feedback by hour (UTC)')}
          series={[
            { name: say('Helpful'), tone: 'accent', valueOf: ({ helpful }) => helpful },
            { name: say('Not helpful'), tone: 'danger', valueOf: ({ unhelpful }) => unhelpful },
          ]}
        />
      )}
    </>
  )
}

function describeMoney(usd: number): string {
  return usd.toLocaleString(language, { style: 'currency', currency: 'USD' })
}
