import { BarChart, type BarChartProps } from '../../../ui/bar-chart.tsx'
import { type Bucket, describeBucket } from './fill-buckets.ts'

interface QuestionChartProps extends Partial<Pick<BarChartProps<Bucket>, 'line' | 'onOpen'>> {
  rows: readonly Bucket[]
  bucket: 'hour' | 'day'
}

/** How many questions were answered, over time. */
export function QuestionChart({ rows, bucket, ...more }: QuestionChartProps) {
  return (
    <BarChart
      {...chartOf(rows, bucket)}
      {...more}
      title={`Questions by ${bucket} (UTC)`}
      series={[
        { name: 'Answered', tone: 'accent', valueOf: ({ answered }) => answered },
        { name: 'Unanswered', tone: 'warning', valueOf: ({ unanswered }) => unanswered },
        { name: 'Incomplete', tone: 'danger', valueOf: ({ broken }) => broken },
      ]}
    />
  )
}

/** What charts over the same time share. */
export function chartOf(rows: readonly Bucket[], bucket: 'hour' | 'day') {
  return {
    rows,
    rowTitle: bucket === 'day' ? 'Day' : 'Hour',
    labelOf: ({ startsAt }: Bucket) => describeBucket(startsAt, bucket),
  }
}
