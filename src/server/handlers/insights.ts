import { trialCounters } from '../../assistant/try-answer.ts'
import {
  type ExportFormat,
  type questionFilterSchema,
  type AskedQuestion as AskedQuestionResource,
  askedQuestionSchema,
} from '../../contract/insights.ts'
import type { questionOperations } from '../../contract/operations/insights.ts'
import { groupTopics } from '../../insights/group-topics.ts'
import { summarizeAgents } from '../../insights/summarize-agents.ts'
import { summarizeQuestions } from '../../insights/summarize-questions.ts'
import { listAskedQuestions, type QuestionFilter } from '../../store/answers/asked-questions.ts'
import { toAskedQuestionResource } from '../resources/asked-question-resource.ts'
import { streamTexts } from '../streams/stream-texts.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import type { z } from 'zod'
import { dayMs } from '../../base/durations.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import { writeCsvRow } from '../../insights/write-csv.ts'
import type { Store } from '../../store/store.ts'

const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
}

export function createInsightHandlers(
  deps: Pick<ServerDeps, 'store' | 'clock' | 'clusters' | 'agentsSeen'>,
): Handlers<typeof questionOperations> {
  const { store } = deps

  return {
    getInsightsSummary: async ({ c, query: { bucket, ...query } }) => {
      const filter = await readQuestionFilter(c, deps, query)
      requireFewBuckets(bucket, filter)
      return summarizeQuestions(store, { filter, bucket, trialCounters })
    },

    getAgentInsights: async ({ c, query }) => {
      const filter = await readQuestionFilter(c, deps, query)
      await deps.agentsSeen.flush()
      return summarizeAgents(store, filter)
    },

    listQuestions: async ({ c, query: { limit, cursor, ...query } }) => {
      const filter = await readQuestionFilter(c, deps, query)
      const { items, nextCursor } = await listAskedQuestions(store.durable, filter, { limit, cursor })
      return { items: items.map(toAskedQuestionResource), nextCursor }
    },

    listTopics: async ({ c, query: { limit, ...query } }) => {
      const { topics, questions } = await groupTopics(deps, await readQuestionFilter(c, deps, query), limit)
      return { items: topics, nextCursor: null, questions }
    },

    exportQuestions: async ({ c, query: { format, ...query } }) => {
      const filter = await readQuestionFilter(c, deps, query)
      return c.body(streamTexts(exportQuestions(store, filter, format)), 200, {
        'content-type': exportTypes[format],
        'content-disposition': `attachment; filename="questions.${format}"`,
        'cache-control': 'no-store',
      })
    },
  }
}

const daysDefault = 30
const daysMax = 400
const hourDaysMax = 14

/**
 * The subset of the organization's questions that a request selects.
 *
 * @throws {AppError} `site_not_found`; `invalid_request` if the period ends before it begins or is too long.
 */
async function readQuestionFilter(
  c: AppContext,
  deps: Pick<ServerDeps, 'store' | 'clock'>,
  query: z.output<typeof questionFilterSchema>,
): Promise<QuestionFilter> {
  const { siteId, from, to, verdict, page, ...rest } = query
  const site = siteId === undefined ? undefined : await findOwnSite(c, deps, siteId)
  return {
    ...rest,
    ...readPeriod(deps.clock.now(), from, to),
    organizationId: c.get('organizationId'),
    siteId: site?.id,
    verdicts: verdict === undefined ? undefined : [verdict],
    page: page?.replace(/#.*$/s, ''),
    search: rest.search === '' ? undefined : rest.search,
  }
}

function readPeriod(now: number, from: string | undefined, to: string | undefined) {
  // Include an answer of this very millisecond.
  const end = to === undefined ? now + 1 : Date.parse(to)
  const start = from === undefined ? end - daysDefault * dayMs : Date.parse(from)
  if (start >= end) throw invalidRequest([{ path: 'from', message: 'is not before `to`' }])
  if (end - start > daysMax * dayMs) {
    throw invalidRequest([
      { path: 'from', message: `is more than ${daysMax} days before \`to\`: request a shorter period` },
    ])
  }
  return { from: Math.max(0, start), to: end }
}

/** @throws {AppError} `invalid_request` for more hours than a chart can show. */
function requireFewBuckets(bucket: 'hour' | 'day', { from, to }: Pick<QuestionFilter, 'from' | 'to'>): void {
  if (bucket === 'day' || to - from <= hourDaysMax * dayMs + 1) return
  throw invalidRequest([{ path: 'bucket', message: `can be \`hour\` for at most ${hourDaysMax} days: use \`day\`` }])
}

/** Bounds memory: only one batch is loaded at a time. */
const questionsAtOnce = 200

const columns: readonly { name: string; read: (question: AskedQuestionResource) => string | number | null }[] = [
  { name: 'askedAt', read: ({ askedAt }) => askedAt },
  { name: 'siteId', read: ({ siteId }) => siteId },
  { name: 'threadId', read: ({ threadId }) => threadId },
  { name: 'id', read: ({ id }) => id },
  { name: 'question', read: ({ question }) => question },
  { name: 'answer', read: ({ answer }) => answer },
  { name: 'verdict', read: ({ verdict }) => verdict },
  { name: 'feedback', read: ({ feedback }) => feedback },
  { name: 'caller', read: ({ caller }) => caller },
  { name: 'version', read: ({ version }) => version },
  { name: 'language', read: ({ language }) => language },
  { name: 'currentPath', read: ({ currentPath }) => currentPath },
  { name: 'sources', read: ({ sources }) => sources.map(({ url }) => url).join(' ') },
  { name: 'triedPaths', read: ({ triedPaths }) => triedPaths.join(' ') },
  { name: 'model', read: ({ model }) => model },
  { name: 'costUsd', read: ({ costUsd }) => costUsd },
  { name: 'totalMs', read: ({ timings }) => timings?.['totalMs'] ?? null },
]

/** Text before, between and after the questions. */
const frames: Readonly<Record<ExportFormat, readonly [head: string, separator: string, tail: string]>> = {
  csv: [writeCsvRow(columns.map(({ name }) => name)), '', ''],
  json: ['{"items":[', ',\n', '],"nextCursor":null}\n'],
  jsonl: ['', '\n', '\n'],
}

/** Exports the questions as a file, in chunks, newest first. */
async function* exportQuestions(store: Store, filter: QuestionFilter, format: ExportFormat): AsyncGenerator<string> {
  const [head, separator, tail] = frames[format]
  yield head
  let isFirst = true
  let cursor: string | null = null
  do {
    const request = { limit: questionsAtOnce, cursor }
    const page: Awaited<ReturnType<typeof listAskedQuestions>> = await listAskedQuestions(
      store.durable,
      filter,
      request,
    )
    const questions = page.items.map((item) => askedQuestionSchema.parse(toAskedQuestionResource(item)))
    if (format === 'csv') {
      yield questions.map((question) => writeCsvRow(columns.map(({ read }) => read(question)))).join('')
    } else if (questions.length > 0) {
      yield (isFirst ? '' : separator) + questions.map((question) => JSON.stringify(question)).join(separator)
      isFirst = false
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  yield isFirst && format === 'jsonl' ? '' : tail
}
