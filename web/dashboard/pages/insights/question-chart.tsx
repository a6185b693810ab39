import { BarChart, type BarChartProps } from '../../../ui/bar-chart.tsx'
import { type Bucket, describeBucket } from './fill-buckets.ts'
import { say } from '../../../words/say.ts'

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
      title={bucket === 'day' ? say('Questions by day (UTC)') : say('Questions by hour (UTC)')}
      series={[
        { name: say('Answered'), tone: 'accent', valueOf: ({ answered }) => answered },
        { name: say('Unanswered'), tone: 'warning', valueOf: ({ unanswered }) => unanswered },
        { name: say('Incomplete'), tone: 'danger', valueOf: ({ broken }) => broken },
      ]}
    />
  )
}

/** What charts over the same time share. */
export function chartOf(rows: readonly Bucket[], bucket: 'hour' | 'day') {
  return {
    rows,
    rowTitle: bucket === 'day' ? say('Day') : say('Hour'),
    labelOf: ({ startsAt }: Bucket) => describeBucket(startsAt, bucket),
  }
}
