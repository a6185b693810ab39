import { queryOptions } from '@tanstack/react-query'
import type { PullRequestViewResource } from '../../../src/contract/pull-request-view.ts'
import type { PullRequestResource } from '../../../src/contract/pull-requests.ts'
import { type ListPage, request, withQuery } from './request.ts'

export interface PullRequestFilter {
  repository?: string | undefined
  state?: PullRequestResource['state'] | undefined
}

const rowsOfPage = 25

/** Pull requests of the built-in host. */
export function pullRequestsQuery(filter: PullRequestFilter, cursor: string | null) {
  return queryOptions({
    queryKey: ['pull-requests', filter, cursor],
    queryFn: ({ signal }) =>
      request<ListPage<PullRequestResource>>(
        'GET',
        withQuery('/admin/v1/pull-requests', { ...filter, limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function pullRequestQuery(id: string) {
  return queryOptions({
    queryKey: ['pull-requests', 'one', id],
    queryFn: ({ signal }) => request<PullRequestResource>('GET', path(id), undefined, signal),
  })
}

/** What whoever has its address may read. */
export function pullRequestViewQuery({ secret, number }: { secret: string; number: string }) {
  return queryOptions({
    queryKey: ['pull-requests', 'view', secret, number],
    queryFn: ({ signal }) =>
      request<PullRequestViewResource>('GET', `/pull/${secret}/${number}/view`, undefined, signal),
  })
}

/** @param head The commit that was read: another by now is refused. */
export function mergePullRequest(id: string, head: string): Promise<PullRequestResource> {
  return request('POST', `${path(id)}/merge`, { head })
}

export function closePullRequest(id: string): Promise<PullRequestResource> {
  return request('POST', `${path(id)}/close`)
}

export async function commentOnPullRequest(id: string, body: string): Promise<void> {
  await request('POST', `${path(id)}/comments`, { body })
}

function path(id: string): string {
  return `/admin/v1/pull-requests/${encodeURIComponent(id)}`
}
