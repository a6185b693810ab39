import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listQuerySchema } from '../../contract/admin.ts'
import {
  receivedWebhookListSchema,
  webhookEndpointCreatedSchema,
  webhookEndpointCreateSchema,
  webhookEndpointListSchema,
  webhookEndpointSchema,
  webhookEndpointUpdateSchema,
  webhookSendListSchema,
  webhookSendSchema,
} from '../../contract/webhooks.ts'
import { errorResponses } from '../route-responses.ts'

const tags = ['Webhooks']
const security = [{ adminKey: [] }]
const path = '/admin/v1/webhook-endpoints'
const params = z.object({ id: z.string().meta({ description: 'Id of the endpoint.' }) })
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })

export const listEndpointsRoute = createRoute({
  method: 'get',
  path,
  tags,
  security,
  summary: 'List webhook endpoints',
  description: 'Without their secrets.',
  request: { query: listQuerySchema },
  responses: {
    200: { description: 'By id.', content: json(webhookEndpointListSchema) },
    ...errorResponses(400, 401, 403, 503),
  },
})

export const createEndpointRoute = createRoute({
  method: 'post',
  path,
  tags,
  security,
  summary: 'Add a webhook endpoint',
  description: 'It is told of the events that are named from now on. The reply holds the secret that signs them, once.',
  request: { body: { required: true, content: json(webhookEndpointCreateSchema) } },
  responses: {
    201: { description: 'The endpoint.', content: json(webhookEndpointCreatedSchema) },
    ...errorResponses(400, 401, 403, 413, 415, 503),
  },
})

export const getEndpointRoute = createRoute({
  method: 'get',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Get a webhook endpoint',
  request: { params },
  responses: {
    200: { description: 'The endpoint.', content: json(webhookEndpointSchema) },
    ...errorResponses(401, 403, 404, 503),
  },
})

export const changeEndpointRoute = createRoute({
  method: 'patch',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Change a webhook endpoint',
  request: { params, body: { required: true, content: json(webhookEndpointUpdateSchema) } },
  responses: {
    200: { description: 'The endpoint.', content: json(webhookEndpointSchema) },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

export const deleteEndpointRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Delete a webhook endpoint',
  description: 'With the log of what was sent to it. What waits for it is not sent.',
  request: { params },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 503) },
})

export const testEndpointRoute = createRoute({
  method: 'post',
  path: `${path}/{id}/test`,
  tags,
  security,
  summary: 'Send a test to a webhook endpoint',
  description: 'Queues an event of the type `test`. The log of deliveries shows what came of it.',
  request: { params },
  responses: {
    201: { description: 'What is sent.', content: json(webhookSendSchema) },
    ...errorResponses(401, 403, 404, 409, 503),
  },
})

export const listSendsRoute = createRoute({
  method: 'get',
  path: `${path}/{id}/deliveries`,
  tags,
  security,
  summary: 'List what was sent to a webhook endpoint',
  description: 'Kept for 30 days.',
  request: { params, query: listQuerySchema },
  responses: {
    200: { description: 'The newest first.', content: json(webhookSendListSchema) },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

export const retrySendRoute = createRoute({
  method: 'post',
  path: `${path}/deliveries/{id}/retry`,
  tags,
  security,
  summary: 'Send something again',
  description: 'With the same `webhook-id`, from the beginning of its tries.',
  request: { params: z.object({ id: z.string().meta({ description: 'Id of the delivery.' }) }) },
  responses: {
    200: { description: 'What is sent.', content: json(webhookSendSchema) },
    ...errorResponses(401, 403, 404, 409, 503),
  },
})

export const listReceivedRoute = createRoute({
  method: 'get',
  path: '/admin/v1/sites/{id}/webhook-deliveries',
  tags,
  security,
  summary: 'List the webhooks that a code host sent about a site',
  description: 'What came with the right signature, and what came of it. Kept for 30 days.',
  request: { params: z.object({ id: z.string().meta({ description: 'Id or slug.' }) }), query: listQuerySchema },
  responses: {
    200: { description: 'The newest first.', content: json(receivedWebhookListSchema) },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})
