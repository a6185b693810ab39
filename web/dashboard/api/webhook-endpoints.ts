import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type {
  WebhookEndpointResource,
  WebhookEventType,
  webhookEndpointCreatedSchema,
  webhookEndpointUpdateSchema,
  WebhookSendResource,
} from '../../../src/contract/webhooks.ts'
import { type ListPage, request, withQuery } from './request.ts'

export type EndpointCreated = z.output<typeof webhookEndpointCreatedSchema>
export interface EndpointInput {
  name: string
  url: string
  events: readonly WebhookEventType[]
}

const path = '/admin/v1/webhook-endpoints'
const rowsOfPage = 25
const sendsOfPage = 15

/** While something is on its way. */
const sendPollMs = 2_000

export function endpointsQuery(cursor: string | null) {
  return queryOptions({
    queryKey: ['webhook-endpoints', cursor],
    queryFn: ({ signal }) =>
      request<ListPage<WebhookEndpointResource>>(
        'GET',
        withQuery(path, { limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function sendsQuery(endpointId: string, cursor: string | null) {
  return queryOptions({
    queryKey: ['webhook-sends', endpointId, cursor],
    queryFn: ({ signal }) =>
      request<ListPage<WebhookSendResource>>(
        'GET',
        withQuery(endpointPath(endpointId, '/deliveries'), { limit: sendsOfPage, cursor }),
        undefined,
        signal,
      ),
    refetchInterval: ({ state }) => (state.data?.items.some(({ state }) => state === 'queued') ? sendPollMs : false),
  })
}

export function createEndpoint(input: EndpointInput): Promise<EndpointCreated> {
  return request('POST', path, input)
}

export function changeEndpoint(
  id: string,
  change: z.input<typeof webhookEndpointUpdateSchema>,
): Promise<WebhookEndpointResource> {
  return request('PATCH', endpointPath(id), change)
}

export async function deleteEndpoint(id: string): Promise<void> {
  await request('DELETE', endpointPath(id))
}

export async function testEndpoint(id: string): Promise<void> {
  await request('POST', endpointPath(id, '/test'))
}

export async function retrySend(id: string): Promise<void> {
  await request('POST', `${path}/deliveries/${encodeURIComponent(id)}/retry`)
}

function endpointPath(id: string, rest = ''): string {
  return `${path}/${encodeURIComponent(id)}${rest}`
}
