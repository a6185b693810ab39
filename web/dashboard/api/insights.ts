import { operationAddress } from '../../../src/client/create-client.ts'
import type { callers, feedbackStates } from '../../../src/contract/insights.ts'
import type { verdicts } from '../../../src/contract/verdicts.ts'
import { insightOperations } from '../../../src/contract/operations/insights.ts'
import { queryOf } from './call.ts'

export interface QuestionFilter {
  /** Days up to now, in whole UTC days including today; 1 means the last 24 hours. */
  days: number
  siteId?: string | undefined
  verdict?: (typeof verdicts)[number] | undefined
  feedback?: (typeof feedbackStates)[number] | undefined
  caller?: (typeof callers)[number] | undefined
  version?: string | undefined
  page?: string | undefined
  search?: string | undefined
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Aggregates over much data are cached longer; events announce new conversations. */
export const insightsFreshMs = 60_000

/** Summary of a site's questions of the last 30 days. */
export function siteSummaryQuery(siteId: string) {
  return { ...queryOf(insightOperations.getInsightsSummary, { query: { siteId } }), staleTime: insightsFreshMs }
}

/** The filter as query parameters. */
export function toQuestionQuery({ days, ...filter }: QuestionFilter) {
  return { ...filter, from: new Date(periodStart(days, Date.now())).toISOString() }
}

/** Start of a whole UTC day or hour, so that the first bar is as wide as the others. Milliseconds. */
function periodStart(days: number, now: number): number {
  if (days === 1) return Math.floor(now / hourMs) * hourMs - 23 * hourMs
  return Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs
}

/** Download address of the questions. */
export function exportAddress(filter: QuestionFilter, format: 'csv' | 'json'): string {
  return operationAddress(insightOperations.exportQuestions, { query: { ...toQuestionQuery(filter), format } })
}
