import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import { forgeKinds } from '../code-hosts.ts'
import {
  receivedWebhookListSchema,
  webhookEndpointCreateSchema,
  webhookEndpointCreatedSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointUpdateSchema,
  webhookReceiptSchema,
  webhookSendListSchema,
  webhookSendSchema,
} from '../webhooks.ts'
import { defineOperations } from './operation.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the endpoint.' }) })

const tag = { name: 'Webhooks', description: 'What code hosts tell Docent, and what Docent tells others.' }

export const webhookEndpointOperations = defineOperations(tag, {
  listWebhookEndpoints: {
    method: 'get',
    path: '/admin/v1/webhook-endpoints',
    summary: 'List webhook endpoints',
    description: 'Without their secrets.',
    access: 'owner',
    query: listQuerySchema,
    replies: { 200: { description: 'By id.', json: webhookEndpointListSchema } },
  },
  createWebhookEndpoint: {
    method: 'post',
    path: '/admin/v1/webhook-endpoints',
    summary: 'Add a webhook endpoint',
    description:
      'It is told of the events that are named from now on. The reply holds the secret that signs them, once.',
    access: 'owner',
    audit: 'webhook-endpoint-created',
    body: webhookEndpointCreateSchema,
    replies: { 201: { description: 'The endpoint.', json: webhookEndpointCreatedSchema } },
  },
  getWebhookEndpoint: {
    method: 'get',
    path: '/admin/v1/webhook-endpoints/{id}',
    summary: 'Get a webhook endpoint',
    access: 'owner',
    params,
    replies: { 200: { description: 'The endpoint.', json: webhookEndpointSchema } },
  },
  updateWebhookEndpoint: {
    method: 'patch',
    path: '/admin/v1/webhook-endpoints/{id}',
    summary: 'Change a webhook endpoint',
    access: 'owner',
    audit: 'webhook-endpoint-changed',
    params,
    body: webhookEndpointUpdateSchema,
    replies: { 200: { description: 'The endpoint.', json: webhookEndpointSchema } },
  },
  deleteWebhookEndpoint: {
    method: 'delete',
    path: '/admin/v1/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'With the log of what was sent to it. What waits for it is not sent.',
    access: 'owner',
    audit: 'webhook-endpoint-deleted',
    params,
    replies: { 204: { description: 'It is gone.' } },
  },
  testWebhookEndpoint: {
    method: 'post',
    path: '/admin/v1/webhook-endpoints/{id}/test',
    summary: 'Send a test to a webhook endpoint',
    description: 'Queues an event of the type `test`. The log of deliveries shows what came of it.',
    access: 'owner',
    params,
    replies: { 201: { description: 'What is sent.', json: webhookSendSchema } },
    errors: [409],
  },
  listWebhookDeliveries: {
    method: 'get',
    path: '/admin/v1/webhook-endpoints/{id}/deliveries',
    summary: 'List what was sent to a webhook endpoint',
    description: 'Kept for 30 days.',
    access: 'owner',
    params,
    query: listQuerySchema,
    replies: { 200: { description: 'The newest first.', json: webhookSendListSchema } },
  },
  retryWebhookDelivery: {
    method: 'post',
    path: '/admin/v1/webhook-endpoints/deliveries/{id}/retry',
    summary: 'Send something again',
    description: 'With the same `webhook-id`, from the beginning of its tries.',
    access: 'owner',
    params: z.object({ id: z.string().meta({ description: 'Id of the delivery.' }) }),
    replies: { 200: { description: 'What is sent.', json: webhookSendSchema } },
    errors: [409],
  },
  listReceivedWebhooks: {
    method: 'get',
    path: '/admin/v1/sites/{id}/webhook-deliveries',
    summary: 'List the webhooks that a code host sent about a site',
    description: 'What came with the right signature, and what came of it. Kept for 30 days.',
    access: 'owner',
    params: z.object({ id: z.string().meta({ description: 'Id or slug.' }) }),
    query: listQuerySchema,
    replies: { 200: { description: 'The newest first.', json: receivedWebhookListSchema } },
  },
})

export const receivedWebhookOperations = defineOperations(tag, {
  receiveSiteWebhook: {
    method: 'post',
    path: '/webhooks/{kind}/{siteId}',
    summary: 'Take the webhook of a site',
    description:
      'For code hosts. What comes without the right signature is refused with 401, also for a site that is not there.',
    access: 'signature',
    params: z.object({ kind: z.enum(forgeKinds), siteId: z.string() }),
    replies: { 202: { description: 'It is written down, and done later.', json: webhookReceiptSchema } },
    neverErrors: [404],
  },
  receiveAppWebhook: {
    method: 'post',
    path: '/webhooks/github',
    summary: 'Take the webhook of a GitHub App',
    description: 'For GitHub. The App is found by its number, and its sites by their repositories.',
    access: 'signature',
    replies: { 202: { description: 'It is written down, and done later.', json: webhookReceiptSchema } },
  },
})

export const webhookOperations = { ...webhookEndpointOperations, ...receivedWebhookOperations }
