import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  AskedQuestion,
  feedbackStates,
  GapResource,
  InsightsSummary,
  jobDraftSchema,
  topicListSchema,
  verdicts,
} from '../../../src/contract/insights.ts'
import { type ListPage, request, withQuery } from './request.ts'

export type Topic = z.output<typeof topicListSchema>['items'][number]

/** The part of all questions that is looked at. */
export interface QuestionFilter {
  /** A period that ends now: so many UTC days with today, or the last 24 hours for 1. */
  days: number
  siteId?: string | undefined
  verdict?: (typeof verdicts)[number] | undefined
  feedback?: (typeof feedbackStates)[number] | undefined
  caller?: string | undefined
  version?: string | undefined
  page?: string | undefined
  search?: string | undefined
}

const rowsOfPage = 25
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Numbers over much data are believed for longer; events say when a conversation was added. */
const freshMs = 60_000

/** While the worker may be asking again at any moment. */
const draftedPollMs = 4_000

/** A gap has five questions asked again, by a model that may be slow. */
const reaskTimeLimitMs = 190_000

/** The questions of a site in the last 30 days. */
export function siteSummaryQuery(siteId: string) {
  return queryOptions({
    queryKey: ['insights', 'summary', siteId],
    queryFn: ({ signal }) =>
      request<InsightsSummary>('GET', withQuery('/admin/v1/insights/summary', { siteId }), undefined, signal),
    staleTime: freshMs,
  })
}

export function summaryQuery(filter: QuestionFilter) {
  return queryOptions({
    queryKey: ['insights', 'counts', filter],
    queryFn: ({ signal }) => {
      const query = { ...toQuery(filter), bucket: filter.days === 1 ? 'hour' : 'day' }
      return request<InsightsSummary>('GET', withQuery('/admin/v1/insights/summary', query), undefined, signal)
    },
    staleTime: freshMs,
  })
}

export function questionsQuery(filter: QuestionFilter, cursor: string | null) {
  return queryOptions({
    queryKey: ['insights', 'questions', filter, cursor],
    queryFn: ({ signal }) =>
      request<ListPage<AskedQuestion>>(
        'GET',
        withQuery('/admin/v1/insights/questions', { ...toQuery(filter), limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function topicsQuery(filter: QuestionFilter) {
  return queryOptions({
    queryKey: ['insights', 'topics', filter],
    queryFn: ({ signal }) =>
      request<z.output<typeof topicListSchema>>(
        'GET',
        withQuery('/admin/v1/insights/topics', { ...toQuery(filter), limit: 50 }),
        undefined,
        signal,
      ),
    staleTime: freshMs,
  })
}

export function gapsQuery(siteId: string) {
  return queryOptions({
    queryKey: ['gaps', siteId],
    queryFn: ({ signal }) =>
      request<ListPage<GapResource>>(
        'GET',
        withQuery('/admin/v1/insights/gaps', { siteId, limit: 100 }),
        undefined,
        signal,
      ),
  })
}

export function gapQuery(id: string) {
  return queryOptions({
    queryKey: ['gap', id],
    queryFn: ({ signal }) => request<GapResource>('GET', gapPath(id), undefined, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'drafted' ? draftedPollMs : false),
  })
}

/** The prompt of a job that mends a gap. */
export function jobDraftQuery(gapId: string) {
  return queryOptions({
    queryKey: ['gap', gapId, 'job-draft'],
    queryFn: ({ signal }) =>
      request<z.output<typeof jobDraftSchema>>('GET', gapPath(gapId, '/job-draft'), undefined, signal),
  })
}

export function startGapJob(gapId: string, prompt: string): Promise<GapResource> {
  return request('POST', gapPath(gapId, '/job'), { prompt })
}

export function changeGapState(gapId: string, state: GapResource['state']): Promise<GapResource> {
  return request('PATCH', gapPath(gapId), { state })
}

export function reaskGap(gapId: string): Promise<GapResource> {
  return request('POST', gapPath(gapId, '/reask'), undefined, undefined, reaskTimeLimitMs)
}

/** Where the browser saves the questions from. */
export function exportAddress(filter: QuestionFilter, format: 'csv' | 'json'): string {
  return withQuery('/admin/v1/insights/export', { ...toQuery(filter), format })
}

function gapPath(id: string, rest = ''): string {
  return `/admin/v1/insights/gaps/${encodeURIComponent(id)}${rest}`
}

function toQuery({ days, ...filter }: QuestionFilter): Record<string, string | undefined> {
  return { ...filter, from: new Date(periodStart(days, Date.now())).toISOString() }
}

/** Whole days and hours, so that the first bar is as wide as the others. UTC milliseconds. */
function periodStart(days: number, now: number): number {
  if (days === 1) return Math.floor(now / hourMs) * hourMs - 23 * hourMs
  return Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs
}
