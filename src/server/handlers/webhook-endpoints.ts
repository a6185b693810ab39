import type { webhookEndpointOperations } from '../../contract/operations/webhooks.ts'
import { listReceivedWebhooks } from '../resources/list-received-webhooks.ts'
import {
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  type WebhookEndpoint,
} from '../../store/webhooks/webhook-endpoints.ts'
import { listWebhookSends, type WebhookSend } from '../../store/webhooks/webhook-sends.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  findWebhookEndpoint,
  retryWebhookSend,
  testWebhookEndpoint,
} from '../../webhooks/manage-endpoints.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createWebhookEndpointHandlers(deps: ServerDeps): Handlers<typeof webhookEndpointOperations> {
  const db = deps.store.durable

  return {
    listWebhookEndpoints: async ({ c, query }) => {
      const request = { ...query, organizationId: c.get('organizationId') }
      const { items, nextCursor } = await listWebhookEndpoints(db, request)
      return { items: items.map(toResource), nextCursor }
    },

    createWebhookEndpoint: async ({ c, body }) => {
      const input = { ...body, organizationId: c.get('organizationId') }
      const { endpoint, secret } = await createWebhookEndpoint(deps, input)
      return { reply: { ...toResource(endpoint), secret }, audit: { target: targetOf(endpoint) } }
    },

    getWebhookEndpoint: async ({ c, params }) => {
      const endpoint = await findWebhookEndpoint(deps, c.get('organizationId'), params.id)
      return toResource(endpoint)
    },

    updateWebhookEndpoint: async ({ c, params, body }) => {
      const endpoint = await findWebhookEndpoint(deps, c.get('organizationId'), params.id)
      const changed = await changeWebhookEndpoint(deps, endpoint, body)
      return { reply: toResource(changed), audit: { target: targetOf(changed) } }
    },

    deleteWebhookEndpoint: async ({ c, params }) => {
      const endpoint = await findWebhookEndpoint(deps, c.get('organizationId'), params.id)
      await deleteWebhookEndpoint(db, endpoint.id)
      return { reply: null, audit: { target: targetOf(endpoint) } }
    },

    testWebhookEndpoint: async ({ c, params }) => {
      const endpoint = await findWebhookEndpoint(deps, c.get('organizationId'), params.id)
      const send = await testWebhookEndpoint(deps, endpoint)
      deps.wakeWebhooks()
      return toSendResource(send)
    },

    listWebhookDeliveries: async ({ c, params, query }) => {
      const { id } = await findWebhookEndpoint(deps, c.get('organizationId'), params.id)
      const { items, nextCursor } = await listWebhookSends(db, { ...query, endpointId: id })
      return { items: items.map(toSendResource), nextCursor }
    },

    retryWebhookDelivery: async ({ c, params }) => {
      const send = await retryWebhookSend(deps, c.get('organizationId'), params.id)
      deps.wakeWebhooks()
      return toSendResource(send)
    },

    listReceivedWebhooks: ({ query, site }) =>
      listReceivedWebhooks(deps.store, { ...query, source: `site:${site.id}` }),
  }
}

function toResource(endpoint: WebhookEndpoint) {
  return { ...endpoint, enabled: endpoint.isEnabled }
}

function toSendResource(send: WebhookSend) {
  return { ...send, nextTryAt: send.runAt }
}

function targetOf({ id, name }: WebhookEndpoint) {
  return { kind: 'webhook-endpoint', id, name }
}
