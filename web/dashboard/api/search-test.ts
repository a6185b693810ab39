import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { explainSearchRequestSchema, explainSearchSchema } from '../../../src/contract/explain-search.ts'
import { request } from './request.ts'
import { sitePath } from './sites.ts'

export type SearchQuestion = z.input<typeof explainSearchRequestSchema>
export type ExplainedSearch = z.output<typeof explainSearchSchema>
export type ExplainedHit = ExplainedSearch['hits'][number]

export function explainSearchQuery(siteId: string, question: SearchQuestion) {
  return queryOptions({
    queryKey: ['site', siteId, 'explain-search', question],
    queryFn: ({ signal }) => request<ExplainedSearch>('POST', sitePath(siteId, '/explain-search'), question, signal),
    retry: false,
  })
}
