import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  buildInfoSchema,
  errorCountListSchema,
  healthSchema,
  queueListSchema,
} from '../../../src/contract/service-health.ts'
import type { limitUsageListSchema } from '../../../src/contract/usage.ts'
import { request, withQuery } from './request.ts'

export type Health = z.output<typeof healthSchema>
export type HealthPart = Health['parts'][number]
export type Queue = z.output<typeof queueListSchema>['items'][number]
export type ErrorCount = z.output<typeof errorCountListSchema>['items'][number]
export type LimitUse = z.output<typeof limitUsageListSchema>['items'][number]
export type BuildInfo = z.output<typeof buildInfoSchema>

/** How often what nobody is told about is looked at again. */
const refreshMs = 10_000

export const healthQuery = queryOptions({
  queryKey: ['operations', 'health'],
  queryFn: ({ signal }) => request<Health>('GET', '/admin/v1/operations/health', undefined, signal),
  refetchInterval: refreshMs,
})

export const queueQuery = queryOptions({
  queryKey: ['operations', 'queue'],
  queryFn: async ({ signal }) =>
    (await request<z.output<typeof queueListSchema>>('GET', '/admin/v1/operations/queue', undefined, signal)).items,
  refetchInterval: refreshMs,
})

export const limitsQuery = queryOptions({
  queryKey: ['operations', 'limits'],
  queryFn: async ({ signal }) =>
    (await request<z.output<typeof limitUsageListSchema>>('GET', '/admin/v1/usage/limits', undefined, signal)).items,
  refetchInterval: refreshMs,
})

/** @param hours How far back, with this hour. */
export function errorCountsQuery(hours: number) {
  return queryOptions({
    queryKey: ['operations', 'errors', hours],
    queryFn: async ({ signal }) => {
      const path = withQuery('/admin/v1/operations/errors', { hours })
      return (await request<z.output<typeof errorCountListSchema>>('GET', path, undefined, signal)).items
    },
    refetchInterval: refreshMs,
  })
}

export const buildQuery = queryOptions({
  queryKey: ['operations', 'build'],
  queryFn: ({ signal }) => request<BuildInfo>('GET', '/admin/v1/operations/build', undefined, signal),
})
