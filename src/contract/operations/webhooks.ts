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
import { siteParams } from './params.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the endpoint.' }) })

const tag = { name: 'Webhooks', description: 'Webhooks that Docent sends, and webhooks from code hosts.' }

export const webhookEndpointOperations = defineOperations(tag, {
  listWebhookEndpoints: {
    method: 'get',
    path: '/admin/v1/webhook-endpoints',
    summary: 'List webhook endpoints',
    description: 'Secrets are not included.',
    access: 'owner',
    query: listQuerySchema,
    replies: { 200: { description: 'Endpoints, ordered by id.', json: webhookEndpointListSchema } },
  },
  createWebhookEndpoint: {
    method: 'post',
    path: '/admin/v1/webhook-endpoints',
    summary: 'Create a webhook endpoint',
    description: 'From now on, Docent sends the given types of events to the endpoint.',
    access: 'owner',
    audit: 'webhook-endpoint-created',
    body: webhookEndpointCreateSchema,
    replies: {
      201: { description: 'The endpoint. `secret` is returned only once.', json: webhookEndpointCreatedSchema },
    },
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
    summary: 'Update a webhook endpoint',
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
    description: 'Also deletes its delivery log. Queued deliveries are not sent.',
    access: 'owner',
    audit: 'webhook-endpoint-deleted',
    params,
    replies: { 204: { description: 'The endpoint was deleted.' } },
  },
  testWebhookEndpoint: {
    method: 'post',
    path: '/admin/v1/webhook-endpoints/{id}/test',
    summary: 'Send a test event to a webhook endpoint',
    description: 'Queues an event of type `test`. List the deliveries to see the result.',
    access: 'owner',
    params,
    replies: { 201: { description: 'The delivery.', json: webhookSendSchema } },
    errors: [409],
  },
  listWebhookDeliveries: {
    method: 'get',
    path: '/admin/v1/webhook-endpoints/{id}/deliveries',
    summary: 'List webhook deliveries',
    description: 'Deliveries are kept for 30 days.',
    access: 'owner',
    params,
    query: listQuerySchema,
    replies: { 200: { description: 'Deliveries, newest first.', json: webhookSendListSchema } },
  },
  retryWebhookDelivery: {
    method: 'post',
    path: '/admin/v1/webhook-endpoints/deliveries/{id}/retry',
    summary: 'Retry a webhook delivery',
    description: 'Sends it with the same `webhook-id` and a new series of attempts.',
    access: 'owner',
    params: z.object({ id: z.string().meta({ description: 'Id of the delivery.' }) }),
    replies: { 200: { description: 'The delivery.', json: webhookSendSchema } },
    errors: [409],
  },
  listReceivedWebhooks: {
    method: 'get',
    path: '/admin/v1/sites/{id}/webhook-deliveries',
    summary: 'List received webhooks',
    description:
      'Webhooks with a valid signature that the code host sent about the site, with their results. Kept for 30 days.',
    access: 'owner',
    params: siteParams,
    query: listQuerySchema,
    replies: { 200: { description: 'Received webhooks, newest first.', json: receivedWebhookListSchema } },
  },
})

export const receivedWebhookOperations = defineOperations(tag, {
  receiveSiteWebhook: {
    method: 'post',
    path: '/webhooks/{kind}/{siteId}',
    summary: 'Receive a webhook for a site',
    description:
      'For code hosts. A request without a valid signature is refused with 401, even if the site does not exist.',
    access: 'signature',
    params: z.object({ kind: z.enum(forgeKinds), siteId: z.string() }),
    replies: { 202: { description: 'The webhook was accepted and is processed later.', json: webhookReceiptSchema } },
    neverErrors: [404],
  },
  receiveAppWebhook: {
    method: 'post',
    path: '/webhooks/github',
    summary: 'Receive a webhook of a GitHub App',
    description: 'For GitHub. Finds the App by its id, and the sites by their repositories.',
    access: 'signature',
    replies: { 202: { description: 'The webhook was accepted and is processed later.', json: webhookReceiptSchema } },
  },
})

export const webhookOperations = { ...webhookEndpointOperations, ...receivedWebhookOperations }
