import { queryOptions } from '@tanstack/react-query'
import type { PlaygroundModelList } from '../../../src/contract/playground.ts'
import { request } from './request.ts'

/** The models that answers can be tried with, the one that readers are answered by first. */
export const playgroundModelsQuery = queryOptions({
  queryKey: ['playground-models'],
  queryFn: ({ signal }) => request<PlaygroundModelList>('GET', '/admin/v1/playground-models', undefined, signal),
})
