import type { InsightsSummary, Tally } from '../contract/insights.ts'
import {
  listAnswerFacts,
  type QuestionFilter,
  type QuestionTally,
  tallyQuestions,
  tallyVersions,
} from '../store/answers/asked-questions.ts'
import type { Message } from '../store/answers/messages.ts'
import { listCounts } from '../store/counts/read-counters.ts'
import { listSites } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { dayMs, hourMs } from '../base/durations.ts'
import { microPerUsd } from '../store/counts/day-budget.ts'

export interface SummaryRequest {
  filter: QuestionFilter
  bucket: 'hour' | 'day'
  /** Names of the playground's counters: number of answers, and their cost. */
  trialCounters: { answers: string; costs: string }
}

const bucketLengths = { hour: hourMs, day: dayMs }
const versionsMax = 50
const pagesMax = 50
/** Answers whose pages and timings are read individually. */
const answersMax = 5_000
const sitesMax = 200
const trialDaysMax = 100_000

/** Counts the questions of a period over time and by shared properties. */
export async function summarizeQuestions(store: Store, request: SummaryRequest): Promise<InsightsSummary> {
  const { filter, bucket } = request
  const rows = await tallyQuestions(store.durable, { filter, bucketMs: bucketLengths[bucket] })
  const versions = await tallyVersions(store.durable, filter, versionsMax)
  const trials = await sumTrials(store, request)
  const answers = await listAnswerFacts(store.durable, filter, answersMax)
  return {
    from: new Date(filter.from).toISOString(),
    to: new Date(filter.to).toISOString(),
    bucket,
    total: sumTallies(rows),
    playgroundAnswers: trials.answers,
    playgroundCostUsd: trials.costs / microPerUsd,
    buckets: groupTallies(rows, ({ startsAt }) => startsAt)
      .sort(([one], [other]) => one - other)
      .map(([startsAt, tally]) => ({ startsAt: new Date(startsAt).toISOString(), ...tally })),
    byVerdict: toGroups(groupTallies(rows, ({ verdict }) => verdict)),
    byCaller: toGroups(groupTallies(rows, ({ caller }) => caller)),
    byVersion: versions.map(({ version, ...tally }) => ({ value: version, ...tally })),
    byPage: countPages(answers).slice(0, pagesMax),
    durations: {
      firstTextMs: findMedian(answers.flatMap(({ timings }) => timings?.['firstTextMs'] ?? [])),
      totalMs: findMedian(answers.flatMap(({ timings }) => timings?.['totalMs'] ?? [])),
    },
  }
}

/** Counts the answers that cite each page, ignoring anchors. */
export function countPages(answers: readonly Pick<Message, 'sources'>[]): InsightsSummary['byPage'] {
  const pages = new Map<string, { url: string; title: string; questions: number }>()
  for (const { sources } of answers) {
    for (const [url, title] of new Map(sources.map((source) => [source.url.replace(/#.*$/s, ''), source.title]))) {
      const known = pages.get(url)
      if (known === undefined) pages.set(url, { url, title, questions: 1 })
      else known.questions += 1
    }
  }
  return [...pages.values()].sort((one, other) => other.questions - one.questions || (one.url < other.url ? -1 : 1))
}

async function sumTrials(
  store: Store,
  { filter, trialCounters }: SummaryRequest,
): Promise<{ answers: number; costs: number }> {
  const { organizationId, siteId, from, to } = filter
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  const subjects = items.map(({ id }) => id).filter((id) => siteId === undefined || id === siteId)
  const firstDay = from - (from % bucketLengths.day)
  const sum = async (namePrefix: string) => {
    const counts = await listCounts(store.relaxed, { namePrefix, subjects, from: firstDay, to, limit: trialDaysMax })
    return counts.reduce((sum, { count }) => sum + count, 0)
  }
  return { answers: await sum(trialCounters.answers), costs: await sum(trialCounters.costs) }
}

function sumTallies(tallies: readonly QuestionTally[]): Tally {
  const total = (name: keyof Tally) => tallies.reduce((sum, each) => sum + each[name], 0)
  return {
    questions: total('questions'),
    answered: total('answered'),
    unanswered: total('unanswered'),
    broken: total('broken'),
    helpful: total('helpful'),
    unhelpful: total('unhelpful'),
    costUsd: total('costUsd'),
  }
}

function groupTallies<Row extends QuestionTally, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): [Key, Tally][] {
  return Array.from(Map.groupBy(rows, keyOf), ([key, group]) => [key, sumTallies(group)])
}

/** Most questions first. */
function toGroups(groups: readonly [string | null, Tally][]): InsightsSummary['byVerdict'] {
  return groups
    .map(([value, tally]) => ({ value, ...tally }))
    .sort((one, other) => other.questions - one.questions || ((one.value ?? '') < (other.value ?? '') ? -1 : 1))
}

export function findMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}
