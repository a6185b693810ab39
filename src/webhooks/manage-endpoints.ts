import { hasUsualPort } from '../base/plain-address.ts'
import type { IdSource } from '../base/ids.ts'
import { AppError } from '../contract/app-error.ts'
import type { WebhookEventType } from '../contract/webhooks.ts'
import {
  getWebhookEndpoint,
  insertWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpoint,
} from '../store/webhooks/webhook-endpoints.ts'
import { queueEvent } from '../store/webhooks/webhook-events.ts'
import { getWebhookSend, requeueWebhookSend, type WebhookSend } from '../store/webhooks/webhook-sends.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface ManageEndpointsDeps extends StoreDeps {
  ids: IdSource
  webhookSecrets: WebhookSecrets
  /** Whether private addresses and ports other than 80 and 443 are allowed. */
  allowsPrivateAddresses: boolean
}

export interface NewEndpoint {
  organizationId: string
  name: string
  url: string
  events: WebhookEventType[]
}

/** @returns The endpoint and its secret, which is shown only this once. @throws {AppError} `invalid_request`. */
export async function createWebhookEndpoint(
  deps: ManageEndpointsDeps,
  input: NewEndpoint,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  requirePort(deps, input.url)
  const id = deps.ids.prefixed('whe')
  const secret = deps.webhookSecrets.make()
  const endpoint: WebhookEndpoint = {
    id,
    ...input,
    secretSealed: deps.webhookSecrets.seal(id, secret),
    isEnabled: true,
    disabledReason: null,
    failingSince: null,
    createdAt: deps.clock.now(),
  }
  await insertWebhookEndpoint(deps.store.durable, endpoint)
  return { endpoint, secret }
}

/** @throws {AppError} `not_found`, also for an endpoint of another organization. */
export async function findWebhookEndpoint(
  { store }: Pick<ManageEndpointsDeps, 'store'>,
  organizationId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await getWebhookEndpoint(store.durable, id)
  if (endpoint?.organizationId === organizationId) return endpoint
  throw new AppError('not_found', `There is no webhook endpoint ${id.slice(0, 100)}. List them to see their ids.`)
}

export interface EndpointChange {
  name?: string | undefined
  url?: string | undefined
  events?: WebhookEventType[] | undefined
  enabled?: boolean | undefined
}

/** Enabling an endpoint or changing its address clears its failures. @throws {AppError} `invalid_request`. */
export async function changeWebhookEndpoint(
  deps: ManageEndpointsDeps,
  endpoint: WebhookEndpoint,
  { name, url, events, enabled }: EndpointChange,
): Promise<WebhookEndpoint> {
  if (url !== undefined) requirePort(deps, url)
  const isFixed = enabled === true || (url !== undefined && url !== endpoint.url)
  const changed = await updateWebhookEndpoint(deps.store.durable, endpoint.id, {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events }),
    ...(enabled !== undefined && { isEnabled: enabled, disabledReason: null }),
    ...(isFixed && { failingSince: null }),
  })
  return changed ?? endpoint
}

/** Queues a test event. @throws {AppError} `conflict` if the endpoint is disabled. */
export async function testWebhookEndpoint(
  { store, clock, ids }: ManageEndpointsDeps,
  { id: endpointId, organizationId, isEnabled }: WebhookEndpoint,
): Promise<WebhookSend> {
  if (!isEnabled) throw new AppError('conflict', 'The endpoint is disabled. Enable it, then test it.')
  const now = clock.now()
  const body = { type: 'test' as const, timestamp: new Date(now).toISOString(), data: { endpointId } }
  const announcement = { organizationId, subject: ids.ulid(), body, now }
  const id = await store.durable.transaction().execute((db) => queueEvent(db, announcement, [endpointId]))
  const send = id === null ? null : await getWebhookSend(store.durable, id)
  if (send === null) throw new AppError('conflict', 'The endpoint was deleted in the meantime.')
  return send
}

/** Sends a delivery again, with a fresh set of attempts. @throws {AppError} `not_found`, `conflict`. */
export async function retryWebhookSend(
  { store, clock }: ManageEndpointsDeps,
  organizationId: string,
  id: string,
): Promise<WebhookSend> {
  const send = await getWebhookSend(store.durable, id)
  const endpoint = send === null ? null : await getWebhookEndpoint(store.durable, send.endpointId)
  if (send === null || endpoint?.organizationId !== organizationId) {
    throw new AppError('not_found', `There is no delivery ${id.slice(0, 100)}. List those of the endpoint.`)
  }
  if (!endpoint.isEnabled) throw new AppError('conflict', 'The endpoint is disabled. Enable it, then send again.')
  await requeueWebhookSend(store.durable, id, clock.now())
  return (await getWebhookSend(store.durable, id)) ?? send
}

/** The port is checked here; the host is checked when it is dialled. */
function requirePort({ allowsPrivateAddresses }: ManageEndpointsDeps, url: string): void {
  const address = URL.parse(url)
  if (allowsPrivateAddresses || (address !== null && hasUsualPort(address))) return
  const message = 'is on a port other than 80 and 443, which is reached only with DOCENT_ALLOW_PRIVATE_ADDRESSES=true'
  throw new AppError('invalid_request', `The address ${message}.`, { details: [{ path: 'url', message }] })
}
