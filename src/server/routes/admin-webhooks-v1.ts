import {
  receivedWebhookListSchema,
  webhookEndpointCreatedSchema,
  webhookEndpointListSchema,
  type WebhookEndpointResource,
  webhookEndpointSchema,
  webhookSendListSchema,
  type WebhookSendResource,
  webhookSendSchema,
} from '../../contract/webhooks.ts'
import type { WebhookEvent } from '../../codehost/webhooks/webhook-event.ts'
import { listWebhookDeliveries, type WebhookDelivery } from '../../store/webhook-deliveries.ts'
import { deleteWebhookEndpoint, listWebhookEndpoints, type WebhookEndpoint } from '../../store/webhook-endpoints.ts'
import { listWebhookSends, type WebhookSend } from '../../store/webhook-sends.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  findWebhookEndpoint,
  retryWebhookSend,
  testWebhookEndpoint,
} from '../../webhooks/manage-endpoints.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { findOwnSite } from '../own-site.ts'
import { recordAudit } from '../record-audit.ts'
import { reply } from '../reply.ts'
import { requireRole } from '../require-role.ts'
import type { ServerParts } from '../server-parts.ts'
import {
  changeEndpointRoute,
  createEndpointRoute,
  deleteEndpointRoute,
  getEndpointRoute,
  listEndpointsRoute,
  listReceivedRoute,
  listSendsRoute,
  retrySendRoute,
  testEndpointRoute,
} from './admin-webhook-routes.ts'

/** Mounts the endpoints that are told what happens. They are for owners alone: what they are told is the organization's. */
export function addAdminWebhooks(app: DocentServer, parts: ServerParts): void {
  addEndpoints(app, parts)
  addSends(app, parts)
}

function addEndpoints(app: DocentServer, parts: ServerParts): void {
  const db = parts.store.durable

  app.openapi(listEndpointsRoute, async (c) => {
    requireRole(c, 'owner')
    const request = { ...c.req.valid('query'), organizationId: c.get('organizationId') }
    const { items, nextCursor } = await listWebhookEndpoints(db, request)
    return reply(c, webhookEndpointListSchema, { items: items.map(toResource), nextCursor }, 200)
  })

  app.openapi(createEndpointRoute, async (c) => {
    const input = { ...c.req.valid('json'), organizationId: c.get('organizationId') }
    const { endpoint, secret } = await createWebhookEndpoint(parts, input)
    await recordAudit(c, parts, { action: 'webhook-endpoint-created', target: targetOf(endpoint) })
    return reply(c, webhookEndpointCreatedSchema, { ...toResource(endpoint), secret }, 201)
  })

  app.openapi(getEndpointRoute, async (c) => {
    requireRole(c, 'owner')
    const endpoint = await findWebhookEndpoint(parts, c.get('organizationId'), c.req.valid('param').id)
    return reply(c, webhookEndpointSchema, toResource(endpoint), 200)
  })

  app.openapi(changeEndpointRoute, async (c) => {
    const endpoint = await findWebhookEndpoint(parts, c.get('organizationId'), c.req.valid('param').id)
    const changed = await changeWebhookEndpoint(parts, endpoint, c.req.valid('json'))
    await recordAudit(c, parts, { action: 'webhook-endpoint-changed', target: targetOf(changed) })
    return reply(c, webhookEndpointSchema, toResource(changed), 200)
  })

  app.openapi(deleteEndpointRoute, async (c) => {
    const endpoint = await findWebhookEndpoint(parts, c.get('organizationId'), c.req.valid('param').id)
    await deleteWebhookEndpoint(db, endpoint.id)
    await recordAudit(c, parts, { action: 'webhook-endpoint-deleted', target: targetOf(endpoint) })
    return c.body(null, 204)
  })
}

function addSends(app: DocentServer, parts: ServerParts): void {
  const db = parts.store.durable

  app.openapi(testEndpointRoute, async (c) => {
    const endpoint = await findWebhookEndpoint(parts, c.get('organizationId'), c.req.valid('param').id)
    const send = await testWebhookEndpoint(parts, endpoint)
    parts.wakeWebhooks()
    return reply(c, webhookSendSchema, toSendResource(send), 201)
  })

  app.openapi(listSendsRoute, async (c) => {
    requireRole(c, 'owner')
    const { id } = await findWebhookEndpoint(parts, c.get('organizationId'), c.req.valid('param').id)
    const { items, nextCursor } = await listWebhookSends(db, { ...c.req.valid('query'), endpointId: id })
    return reply(c, webhookSendListSchema, { items: items.map(toSendResource), nextCursor }, 200)
  })

  app.openapi(retrySendRoute, async (c) => {
    const send = await retryWebhookSend(parts, c.get('organizationId'), c.req.valid('param').id)
    parts.wakeWebhooks()
    return reply(c, webhookSendSchema, toSendResource(send), 200)
  })

  app.openapi(listReceivedRoute, async (c) => {
    requireRole(c, 'owner')
    const site = await findOwnSite(c, parts, c.req.valid('param').id)
    const request = { ...c.req.valid('query'), siteId: site.id }
    const { items, nextCursor } = await listWebhookDeliveries<WebhookEvent>(db, request)
    return reply(c, receivedWebhookListSchema, { items: items.map(toReceived), nextCursor }, 200)
  })
}

function toResource(endpoint: WebhookEndpoint): WebhookEndpointResource {
  const { id, name, url, events, isEnabled, disabledReason, failingSince, createdAt } = endpoint
  return {
    id,
    name,
    url,
    events,
    enabled: isEnabled,
    disabledReason,
    failingSince: toIsoTime(failingSince),
    createdAt: toIsoTime(createdAt),
  }
}

function toSendResource({ runAt, createdAt, triedAt, ...send }: WebhookSend): WebhookSendResource {
  const nextTryAt = send.state === 'queued' ? toIsoTime(runAt) : null
  return { ...send, createdAt: toIsoTime(createdAt), triedAt: toIsoTime(triedAt), nextTryAt }
}

function toReceived({ id, deliveryId, event, state, outcome, ...times }: WebhookDelivery<WebhookEvent>) {
  const { receivedAt, finishedAt } = times
  const type = event.type
  return { id, deliveryId, type, state, outcome, receivedAt: toIsoTime(receivedAt), finishedAt: toIsoTime(finishedAt) }
}

function targetOf({ id, name }: WebhookEndpoint) {
  return { kind: 'webhook-endpoint', id, name }
}
