import type { SiteActivityCounts } from '../../../src/contract/home.ts'
import { Change, type ChangeProps, isWorse } from '../../ui/change.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import classes from './metric-view.module.css'
import { language } from '../../words/language.ts'
import { say } from '../../words/say.ts'

export interface Metric extends Pick<ChangeProps, 'by' | 'better'> {
  name: string
  valueOf(counts: SiteActivityCounts): number | null
  /** The number, and its unit, which is set smaller. */
  write(value: number): [number: string, unit: string]
}

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
const writeShare = (value: number): [string, string] => [String(Math.round(value * 100)), '%']

const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 }

/** How the answers to questions are doing. */
export const metrics: readonly Metric[] = [
  {
    name: say('Questions'),
    by: 'ratio',
    valueOf: ({ questions }) => questions,
    write: (value) => [value.toLocaleString(language), ''],
  },
  {
    name: say('Answered'),
    by: 'share',
    better: 'more',
    valueOf: ({ answered, unanswered }) => share(answered, answered + unanswered),
    write: writeShare,
  },
  {
    name: say('Helpful'),
    by: 'share',
    better: 'more',
    valueOf: ({ helpful, unhelpful }) => share(helpful, helpful + unhelpful),
    write: writeShare,
  },
  {
    name: say('First words'),
    by: 'ratio',
    better: 'less',
    valueOf: ({ firstTextMs }) => firstTextMs,
    write: (value) =>
      value < 1_000 ? [String(Math.round(value)), 'ms'] : [(value / 1_000).toLocaleString(language, oneDigit), 's'],
  },
  {
    name: say('Cost'),
    by: 'ratio',
    valueOf: ({ costUsd }) => costUsd,
    write: (value) => [value.toLocaleString(language, { style: 'currency', currency: 'USD' }), ''],
  },
]

export interface MetricViewProps {
  metric: Metric
  current: SiteActivityCounts
  /** In the period of equal length before; null while it is not known. */
  previous: SiteActivityCounts | null
  /** The current period in equal parts, oldest first. */
  series: readonly SiteActivityCounts[]
}

/** A figure, how it changed, and its course. */
export function MetricView({ metric, current: now, previous: before, series }: MetricViewProps) {
  const { name, by, better, valueOf, write } = metric
  const [current, previous] = [valueOf(now), before && valueOf(before)]
  const change = { current, previous, by, ...(better && { better }) }
  const [number, unit] = current === null ? ['–', ''] : write(current)
  return (
    <div className={classes.metric}>
      <span className={classes.name}>{name}</span>
      <span className={classes.figure}>
        <span className={classes.number}>{number}</span>
        {unit === '' ? null : <span className={classes.unit}>{unit}</span>}
        <Change {...change} />
      </span>
      <Sparkline values={series.map(valueOf)} isWorse={isWorse(change)} />
    </div>
  )
}
