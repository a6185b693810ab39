import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { countOf } from '../../../../src/contract/count-of.ts'
import type { InsightsSummary } from '../../../../src/contract/insights.ts'
import { BarChart } from '../../../ui/bar-chart.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StatTiles } from '../../../ui/stat-tiles.tsx'
import { Loaded } from '../../shell/loaded.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { type Bucket, describeBucket, fillBuckets } from './fill-buckets.ts'
import { describeShare } from './question-words.ts'
import type { InsightsScope } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { queryOf } from '../../api/call.ts'
import { insightsFreshMs, toQuestionQuery } from '../../api/insights.ts'

export function OverviewView({ scope }: { scope: InsightsScope }) {
  const bucket = scope.filter.days === 1 ? 'hour' : 'day'
  const summary = useQuery({
    ...queryOf(insightOperations.getInsightsSummary, { query: { ...toQuestionQuery(scope.filter), bucket } }),
    staleTime: insightsFreshMs,
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={summary}>
      {(summary) =>
        summary.total.questions === 0 ? (
          <EmptyState icon={<MessageCircleQuestion aria-hidden />} title="No questions">
            No questions match these filters in this period. New reader questions appear automatically.
          </EmptyState>
        ) : (
          <>
            <StatTiles stats={listStats(summary)} />
            <Charts summary={summary} />
            <Breakdowns summary={summary} />
          </>
        )
      }
    </Loaded>
  )
}

function Charts({ summary }: { summary: InsightsSummary }) {
  const rows = fillBuckets(summary)
  const { bucket } = summary
  const shared = { rows, rowTitle: bucket === 'day' ? 'Day' : 'Hour', labelOf: toLabel }
  function toLabel({ startsAt }: Bucket) {
    return describeBucket(startsAt, bucket)
  }
  const by = bucket === 'day' ? 'by day' : 'by hour'
  return (
    <>
      <BarChart
        {...shared}
        title={`Questions ${by} (UTC)`}
        series={[
          { name: 'Answered', tone: 'accent', valueOf: ({ answered }) => answered },
          { name: 'Unanswered', tone: 'warning', valueOf: ({ unanswered }) => unanswered },
          { name: 'Incomplete', tone: 'danger', valueOf: ({ broken }) => broken },
        ]}
      />
      {summary.total.helpful + summary.total.unhelpful === 0 ? null : (
        <BarChart
          {...shared}
          title={`Reader feedback ${by} (UTC)`}
          series={[
            { name: 'Helpful', tone: 'accent', valueOf: ({ helpful }) => helpful },
            { name: 'Not helpful', tone: 'danger', valueOf: ({ unhelpful }) => unhelpful },
          ]}
        />
      )}
    </>
  )
}

function listStats({ total, durations, playgroundCostUsd }: InsightsSummary) {
  const { questions, answered, unanswered, broken, helpful, unhelpful, costUsd } = total
  const rated = helpful + unhelpful
  return [
    { name: 'Questions', value: questions.toLocaleString() },
    { name: 'Answered', value: describeShare(answered, questions), note: countOf(answered, 'question') },
    {
      name: 'Unanswered',
      value: describeShare(unanswered, questions),
      note: countOf(unanswered, 'question'),
    },
    ...(broken === 0 ? [] : [{ name: 'Incomplete', value: broken.toLocaleString(), note: 'failed or abandoned' }]),
    {
      name: 'Helpful',
      value: describeShare(helpful, rated),
      note: rated === 0 ? 'no feedback yet' : `of ${rated.toLocaleString()} with feedback`,
    },
    { name: 'Time to first text', value: describeDuration(durations.firstTextMs), note: 'median' },
    {
      name: 'Cost',
      value: describeMoney(costUsd),
      note: playgroundCostUsd === 0 ? 'for answers' : `plus ${describeMoney(playgroundCostUsd)} in the playground`,
    },
  ]
}

function describeDuration(ms: number | null): string {
  if (ms === null) return '–'
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function describeMoney(usd: number): string {
  return usd.toLocaleString('en', { style: 'currency', currency: 'USD' })
}
