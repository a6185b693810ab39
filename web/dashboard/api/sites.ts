import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  findingSchema,
  ProjectResource,
  SiteResource,
  siteCreateSchema,
  siteUpdateSchema,
  SyncRunResource,
} from '../../../src/contract/admin.ts'
import type {
  SiteWebhookResource,
  SiteWebhookSetup,
  SourceCheck,
  sourceCheckRequestSchema,
} from '../../../src/contract/source-check.ts'
import { type ListPage, request, withQuery } from './request.ts'

export type Finding = z.output<typeof findingSchema>
export type SiteCreateInput = z.input<typeof siteCreateSchema>
export type SiteChange = z.input<typeof siteUpdateSchema>
export type SourceInput = SiteCreateInput['source']
export type CredentialInput = NonNullable<SiteCreateInput['credential']>

/** As many as a page of a list may hold. */
const listedMax = 200

/** While a sync is under way, beside the events, which may be missed. */
const syncPollMs = 1_500

/** A first look at a large repository takes up to two minutes. */
const checkTimeLimitMs = 150_000

export const sitesQuery = queryOptions({
  queryKey: ['sites'],
  queryFn: ({ signal }) => listAll<SiteResource>('/admin/v1/sites', signal),
  refetchInterval: ({ state }) => (state.data?.some(isSyncing) ? syncPollMs : false),
})

export function isSyncing({ run }: Pick<SiteResource, 'run'>): boolean {
  return run?.state === 'queued' || run?.state === 'running'
}

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => listAll<ProjectResource>('/admin/v1/projects', signal),
})

/** What is wrong with the source of the generation that is served: all of it. */
export function findingsQuery(siteId: string) {
  return queryOptions({
    queryKey: ['site', siteId, 'findings'],
    queryFn: ({ signal }) => request<ListPage<Finding>>('GET', sitePath(siteId, '/findings'), undefined, signal),
  })
}

export function syncSite(siteId: string): Promise<SyncRunResource> {
  return request('POST', sitePath(siteId, '/sync'))
}

export function createSite(site: SiteCreateInput): Promise<SiteResource> {
  return request('POST', '/admin/v1/sites', site)
}

export function changeSite(siteId: string, change: SiteChange): Promise<SiteResource> {
  return request('PATCH', sitePath(siteId), change)
}

export function deleteSite(siteId: string): Promise<void> {
  return request('DELETE', sitePath(siteId))
}

/** Has the code host tell of changes. It may be asked for again: there is one webhook for the address. */
export const webhookSetupQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['sites', siteId, 'webhook-setup'],
    queryFn: () => request<SiteWebhookSetup>('POST', sitePath(siteId, '/webhook/add')),
    staleTime: Infinity,
    retry: false,
  })

export function showWebhook(siteId: string): Promise<SiteWebhookResource> {
  return request('POST', sitePath(siteId, '/webhook'))
}

export function checkSource(
  input: z.input<typeof sourceCheckRequestSchema>,
  signal?: AbortSignal,
): Promise<SourceCheck> {
  return request('POST', '/admin/v1/sites/check-source', input, signal, checkTimeLimitMs)
}

export function sitePath(siteId: string, rest = ''): string {
  return `/admin/v1/sites/${encodeURIComponent(siteId)}${rest}`
}

/** All of a list that people choose from, so that what they look for is there. */
export async function listAll<Item>(path: string, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page: ListPage<Item> = await request('GET', withQuery(path, { limit: listedMax, cursor }), undefined, signal)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}
