import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { KeyCreate, keyCreatedSchema, KeyResource, KeyUpdate } from '../../../src/contract/admin.ts'
import type { keyUsageListSchema } from '../../../src/contract/usage.ts'
import { type ListPage, request, withQuery } from './request.ts'
import { listAll } from './sites.ts'

export type KeyCreated = z.output<typeof keyCreatedSchema>
type KeyUsagePage = z.output<typeof keyUsageListSchema>
export type KeyUsage = KeyUsagePage['items'][number]

const rowsOfPage = 25

export function keysQuery(cursor: string | null) {
  return queryOptions({
    queryKey: ['keys', cursor],
    queryFn: ({ signal }) =>
      request<ListPage<KeyResource>>(
        'GET',
        withQuery('/admin/v1/keys', { limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

/** All of them, for pages that show those of one site. */
export const allKeysQuery = queryOptions({
  queryKey: ['keys', 'all'],
  queryFn: ({ signal }) => listAll<KeyResource>('/admin/v1/keys', signal),
})

/** The use of each assistant key in this month, by the key's id. */
export const keyUsageQuery = queryOptions({
  queryKey: ['key-usage'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, KeyUsage>> => {
    const usage = new Map<string, KeyUsage>()
    let cursor: string | null = null
    do {
      const path = withQuery('/admin/v1/usage/keys', { limit: 200, cursor })
      const page: KeyUsagePage = await request('GET', path, undefined, signal)
      for (const item of page.items) usage.set(item.id, item)
      cursor = page.nextCursor
    } while (cursor !== null)
    return usage
  },
  retry: false,
})

export function createKey(key: KeyCreate): Promise<KeyCreated> {
  return request('POST', '/admin/v1/keys', key)
}

export function changeKey(id: string, change: KeyUpdate): Promise<KeyResource> {
  return request('PATCH', `/admin/v1/keys/${encodeURIComponent(id)}`, change)
}

export function revokeKey(id: string): Promise<KeyResource> {
  return request('POST', `/admin/v1/keys/${encodeURIComponent(id)}/revoke`)
}
