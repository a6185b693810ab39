import { dayMs, hourMs } from '../../../ui/durations.ts'
import type { InsightsSummary, Tally } from '../../../../src/contract/insights.ts'
import { language } from '../../../words/language.ts'

export type Bucket = Tally & { startsAt: string }

const bucketMs = { hour: hourMs, day: dayMs } as const

const none: Tally = { questions: 0, answered: 0, unanswered: 0, broken: 0, helpful: 0, unhelpful: 0, costUsd: 0 }

/** One bucket per hour or day of the period, including empty ones, so that the time axis is linear. */
export function fillBuckets({
  from,
  to,
  bucket,
  buckets,
}: Pick<InsightsSummary, 'from' | 'to' | 'bucket' | 'buckets'>): Bucket[] {
  const width = bucketMs[bucket]
  const known = new Map(buckets.map((each) => [Date.parse(each.startsAt), each]))
  const filled: Bucket[] = []
  for (let at = Math.floor(Date.parse(from) / width) * width; at < Date.parse(to); at += width) {
    filled.push(known.get(at) ?? { ...none, startsAt: new Date(at).toISOString() })
  }
  return filled
}

const hours = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
  minute: '2-digit',
  timeZone: 'UTC',
})
const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Hours and days are UTC. */
export function describeBucket(startsAt: string, bucket: 'hour' | 'day'): string {
  return (bucket === 'hour' ? hours : days).format(Date.parse(startsAt))
}
