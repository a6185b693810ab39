import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  ContextRepositoryResource,
  contextRepositoryCreateSchema,
} from '../../../src/contract/context-repositories.ts'
import { request } from './request.ts'
import { sitePath } from './sites.ts'

export type ContextRepositoryInput = z.input<typeof contextRepositoryCreateSchema>
export type { ContextRepositoryResource }

/** What the agent may read beside the repository of a site. */
export function contextRepositoriesQuery(siteId: string) {
  return queryOptions({
    queryKey: ['context-repositories', siteId],
    queryFn: ({ signal }) =>
      request<{ items: ContextRepositoryResource[] }>(
        'GET',
        sitePath(siteId, '/context-repositories'),
        undefined,
        signal,
      ),
  })
}

export function addContextRepository(siteId: string, input: ContextRepositoryInput) {
  return request<ContextRepositoryResource>('POST', sitePath(siteId, '/context-repositories'), input)
}

export function removeContextRepository(siteId: string, name: string): Promise<void> {
  return request('DELETE', sitePath(siteId, `/context-repositories/${encodeURIComponent(name)}`))
}
