import { queryOptions } from '@tanstack/react-query'
import type { RepositoryCreate, RepositoryResource } from '../../../src/contract/repositories.ts'
import { request } from './request.ts'
import { listAll } from './sites.ts'

/** An import reads all files of a folder. */
const importTimeLimitMs = 300_000

/** The repositories of the built-in host. */
export const repositoriesQuery = queryOptions({
  queryKey: ['repositories'],
  queryFn: ({ signal }) => listAll<RepositoryResource>('/admin/v1/repositories', signal),
})

export function importRepository(input: RepositoryCreate): Promise<RepositoryResource> {
  return request('POST', '/admin/v1/repositories', input, undefined, importTimeLimitMs)
}

export function deleteRepository(id: string): Promise<void> {
  return request('DELETE', `/admin/v1/repositories/${encodeURIComponent(id)}`)
}
