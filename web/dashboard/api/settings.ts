import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { CodeHostAppResource } from '../../../src/contract/code-host-apps.ts'
import type {
  modelCheckSchema,
  StoredSettingName,
  StoredSettingResource,
} from '../../../src/contract/model-settings.ts'
import { request } from './request.ts'
import { listAll } from './sites.ts'

export type ModelCheck = z.output<typeof modelCheckSchema>

/** The service gives the model a minute to say a word. */
const checkTimeLimitMs = 70_000

export const storedSettingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) =>
    (await request<{ items: StoredSettingResource[] }>('GET', '/admin/v1/settings', undefined, signal)).items,
})

/** @param value Null removes what is stored. */
export function storeSetting(name: StoredSettingName, value: string | null): Promise<StoredSettingResource> {
  return request('PUT', `/admin/v1/settings/${name}`, { value })
}

export function checkModel(): Promise<ModelCheck> {
  return request('POST', '/admin/v1/settings/model/check', undefined, undefined, checkTimeLimitMs)
}

export const codeHostAppsQuery = queryOptions({
  queryKey: ['code-host-apps'],
  queryFn: ({ signal }) => listAll<CodeHostAppResource>('/admin/v1/code-host-apps', signal),
})

export async function deleteCodeHostApp(id: string): Promise<void> {
  await request('DELETE', `/admin/v1/code-host-apps/${encodeURIComponent(id)}`)
}
