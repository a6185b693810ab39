import type { HomePeriod, SiteActivity, SiteActivityCounts } from '../../contract/home.ts'
import { verdicts } from '../../contract/verdicts.ts'
import {
  listAnswerFacts,
  listAskedQuestions,
  type QuestionTally,
  tallySites,
} from '../../store/answers/asked-questions.ts'
import type { Store } from '../../store/store.ts'
import { dayMs, hourMs } from '../../base/durations.ts'
import { findMedian } from '../summarize-questions.ts'

/** Answers whose times are read. */
const answersMax = 5_000
const questionCharsMax = 200

export interface ActivityRequest {
  organizationId: string
  siteIds: readonly string[]
  days: HomePeriod
  /** UTC milliseconds, exclusive. */
  to: number
}

/** How sites did in a period, and in the one before. */
export async function summarizeSites(store: Store, request: ActivityRequest): Promise<SiteActivity[]> {
  const { organizationId, siteIds, days, to } = request
  const partMs = days === 1 ? hourMs : dayMs
  const lengthMs = days * dayMs
  const filter = { organizationId, from: to - 2 * lengthMs, to }
  const [tallies, answers] = await Promise.all([
    tallySites(store.durable, filter, partMs),
    listAnswerFacts(store.durable, filter, answersMax),
  ])
  const parts = lengthMs / partMs
  const times = answers.flatMap(({ siteId, createdAt, timings }) => {
    const firstTextMs = timings?.['firstTextMs']
    return firstTextMs === undefined
      ? []
      : [{ siteId, part: Math.floor((createdAt - filter.from) / partMs), firstTextMs }]
  })
  const talliesOf = Map.groupBy(tallies, ({ siteId }) => siteId)
  const timesOf = Map.groupBy(times, ({ siteId }) => siteId)
  return Promise.all(
    siteIds.map(async (siteId) => {
      const count = (from: number, until: number): SiteActivityCounts => {
        const isWithin = ({ part }: { part: number }) => part >= from && part < until
        return sum((talliesOf.get(siteId) ?? []).filter(isWithin), (timesOf.get(siteId) ?? []).filter(isWithin))
      }
      return {
        siteId,
        current: count(parts, 2 * parts),
        previous: count(0, parts),
        series: Array.from({ length: parts }, (_, at) => count(parts + at, parts + at + 1)),
        lastQuestion: await findLastQuestion(store, { organizationId, siteId, from: filter.from, to }),
      }
    }),
  )
}

function sum(tallies: readonly QuestionTally[], times: readonly { firstTextMs: number }[]): SiteActivityCounts {
  const total = (name: keyof QuestionTally) => tallies.reduce((all, each) => all + each[name], 0)
  return {
    questions: total('questions'),
    answered: total('answered'),
    unanswered: total('unanswered'),
    helpful: total('helpful'),
    unhelpful: total('unhelpful'),
    costUsd: total('costUsd'),
    firstTextMs: findMedian(times.map(({ firstTextMs }) => firstTextMs)),
  }
}

async function findLastQuestion(
  store: Store,
  filter: { organizationId: string; siteId: string; from: number; to: number },
): Promise<SiteActivity['lastQuestion']> {
  const charsMax = { question: questionCharsMax, answer: 1 }
  const { items } = await listAskedQuestions(store.durable, filter, { limit: 1, charsMax })
  const [last] = items
  if (last === undefined) return null
  const { id, verdict, sources } = last.answer
  const [source] = sources
  return {
    id,
    question: last.question,
    verdict: verdicts.find((each) => each === verdict) ?? null,
    source: source === undefined ? null : { url: source.url, title: source.title },
    askedAt: new Date(last.askedAt).toISOString(),
  }
}
