import { dayMs, hourMs } from '../../ui/durations.ts'
import { operationAddress } from '../../../src/client/create-client.ts'
import type { askers, callers, ExportFormat, feedbackStates } from '../../../src/contract/insights.ts'
import type { verdicts } from '../../../src/contract/verdicts.ts'
import { insightOperations } from '../../../src/contract/operations/insights.ts'
import { queryOf } from './call.ts'

export interface QuestionFilter {
  /** Days up to now, in whole UTC days including today; 1 means the last 24 hours. */
  days: number
  /** Only the day that begins at this time, or the hour if `days` is 1. */
  at?: string | undefined
  siteId?: string | undefined
  verdict?: (typeof verdicts)[number] | undefined
  feedback?: (typeof feedbackStates)[number] | undefined
  caller?: (typeof callers)[number] | undefined
  askedBy?: (typeof askers)[number] | undefined
  keyId?: string | undefined
  language?: string | undefined
  version?: string | undefined
  page?: string | undefined
  search?: string | undefined
}

/** Aggregates over much data are cached longer; events announce new conversations. */
export const insightsFreshMs = 60_000

/** Summary of a site's questions of the last 30 days. */
export function siteSummaryQuery(siteId: string) {
  return { ...queryOf(insightOperations.getInsightsSummary, { query: { siteId } }), staleTime: insightsFreshMs }
}

/** The filter as query parameters. */
export function toQuestionQuery({ days, at, ...filter }: QuestionFilter) {
  return { ...filter, ...toTimes(readPeriod({ days, at }, Date.now())) }
}

/** How often the end of the period before moves, because each end is another request. */
const endStepMs = 600_000

/** The same in the period of equal length before, up to the same time of the day. */
export function toQueryBefore({ days, at, ...filter }: QuestionFilter) {
  const now = Date.now()
  // The end of the step, not its start, which is no part of today in the first minutes of a day.
  const { from, to = (Math.floor(now / endStepMs) + 1) * endStepMs } = readPeriod({ days, at }, now)
  const lengthMs = at === undefined ? days * dayMs : to - from
  return { ...filter, ...toTimes({ from: from - lengthMs, to: to - lengthMs }) }
}

function toTimes({ from, to }: { from: number; to?: number }) {
  return { from: new Date(from).toISOString(), ...(to !== undefined && { to: new Date(to).toISOString() }) }
}

/** Begins with a whole UTC day or hour, so that the first bar is as wide as the others. Milliseconds. */
function readPeriod({ days, at }: Pick<QuestionFilter, 'days' | 'at'>, now: number): { from: number; to?: number } {
  const width = days === 1 ? hourMs : dayMs
  if (at !== undefined) return { from: Date.parse(at), to: Date.parse(at) + width }
  const bars = days === 1 ? 24 : days
  return { from: Math.floor(now / width) * width - (bars - 1) * width }
}

/** Download address of the questions. */
export function exportAddress(filter: QuestionFilter, format: ExportFormat): string {
  return operationAddress(insightOperations.exportQuestions, { query: { ...toQuestionQuery(filter), format } })
}
