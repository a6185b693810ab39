import { operationAddress } from '../../../src/client/create-client.ts'
import type { callers, feedbackStates, verdicts } from '../../../src/contract/insights.ts'
import { insightOperations } from '../../../src/contract/operations/insights.ts'
import { queryOf } from './call.ts'

/** Which questions are shown. */
export interface QuestionFilter {
  /** A period that ends now: so many UTC days with today, or the last 24 hours for 1. */
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

/** Numbers over much data are believed for longer; events say when a conversation was added. */
export const insightsFreshMs = 60_000

/** The questions of a site in the last 30 days. */
export function siteSummaryQuery(siteId: string) {
  return { ...queryOf(insightOperations.getInsightsSummary, { query: { siteId } }), staleTime: insightsFreshMs }
}

/** The filter as operations take it. */
export function toQuestionQuery({ days, ...filter }: QuestionFilter) {
  return { ...filter, from: new Date(periodStart(days, Date.now())).toISOString() }
}

/** Whole days and hours, so that the first bar is as wide as the others. UTC milliseconds. */
function periodStart(days: number, now: number): number {
  if (days === 1) return Math.floor(now / hourMs) * hourMs - 23 * hourMs
  return Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs
}

/** Where the browser saves the questions from. */
export function exportAddress(filter: QuestionFilter, format: 'csv' | 'json'): string {
  return operationAddress(insightOperations.exportQuestions, { query: { ...toQuestionQuery(filter), format } })
}
