import { queryOptions } from '@tanstack/react-query'
import type {
  AutomationCreate,
  AutomationResource,
  AutomationRunResource,
  AutomationUpdate,
} from '../../../src/contract/automations.ts'
import { type ListPage, request, withQuery } from './request.ts'

const rowsOfPage = 25
const runsOfPage = 10

/** How often runs are read while one is under way. */
const runsReadMs = 3_000

export function automationsQuery(cursor: string | null) {
  return queryOptions({
    queryKey: ['automations', cursor],
    queryFn: ({ signal }) =>
      request<ListPage<AutomationResource>>(
        'GET',
        withQuery('/admin/v1/automations', { limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function automationQuery(id: string) {
  return queryOptions({
    queryKey: ['automations', 'one', id],
    queryFn: ({ signal }) => request<AutomationResource>('GET', path(id), undefined, signal),
  })
}

export function automationRunsQuery(id: string, cursor: string | null) {
  return queryOptions({
    queryKey: ['automation-runs', id, cursor],
    queryFn: ({ signal }) =>
      request<ListPage<AutomationRunResource>>(
        'GET',
        withQuery(`${path(id)}/runs`, { limit: runsOfPage, cursor }),
        undefined,
        signal,
      ),
    refetchInterval: ({ state }) =>
      state.data?.items.some((run) => run.state === 'queued') === true ? runsReadMs : false,
  })
}

export function createAutomation(input: AutomationCreate): Promise<AutomationResource> {
  return request('POST', '/admin/v1/automations', input)
}

export function changeAutomation(id: string, change: AutomationUpdate): Promise<AutomationResource> {
  return request('PATCH', path(id), change)
}

export function deleteAutomation(id: string): Promise<void> {
  return request('DELETE', path(id))
}

export function runAutomation(id: string): Promise<AutomationRunResource> {
  return request('POST', `${path(id)}/run`)
}

function path(id: string): string {
  return `/admin/v1/automations/${encodeURIComponent(id)}`
}
