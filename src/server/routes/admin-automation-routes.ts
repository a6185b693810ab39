import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listQuerySchema } from '../../contract/admin.ts'
import {
  automationCreateSchema,
  automationListSchema,
  automationRunListSchema,
  automationRunSchema,
  automationSchema,
  automationUpdateSchema,
} from '../../contract/automations.ts'
import { errorResponses } from '../route-responses.ts'

const tags = ['Automations']
const security = [{ adminKey: [] }]
const path = '/admin/v1/automations'
const params = z.object({ id: z.string().meta({ description: 'Id of the automation.' }) })
const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } })

export const listAutomationsRoute = createRoute({
  method: 'get',
  path,
  tags,
  security,
  summary: 'List automations',
  request: {
    query: listQuerySchema.extend({
      site: z.string().max(200).optional().meta({ description: 'Only those of this site, by its id or slug.' }),
    }),
  },
  responses: {
    200: { description: 'By id.', content: json(automationListSchema) },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

export const createAutomationRoute = createRoute({
  method: 'post',
  path,
  tags,
  security,
  summary: 'Add an automation',
  description:
    'A job that is made again and again. One that runs when a branch moves begins with what the branch names now.',
  request: { body: { required: true, content: json(automationCreateSchema) } },
  responses: {
    201: { description: 'The automation.', content: json(automationSchema) },
    ...errorResponses(400, 401, 403, 404, 413, 415, 422, 503),
  },
})

export const getAutomationRoute = createRoute({
  method: 'get',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Get an automation',
  request: { params },
  responses: {
    200: { description: 'The automation.', content: json(automationSchema) },
    ...errorResponses(401, 403, 404, 503),
  },
})

export const changeAutomationRoute = createRoute({
  method: 'patch',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Change an automation',
  request: { params, body: { required: true, content: json(automationUpdateSchema) } },
  responses: {
    200: { description: 'The automation.', content: json(automationSchema) },
    ...errorResponses(400, 401, 403, 404, 413, 415, 422, 503),
  },
})

export const deleteAutomationRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  tags,
  security,
  summary: 'Delete an automation',
  description: 'With its runs. Jobs and pull requests stay.',
  request: { params },
  responses: { 204: { description: 'It is gone.' }, ...errorResponses(401, 403, 404, 503) },
})

export const runAutomationRoute = createRoute({
  method: 'post',
  path: `${path}/{id}/run`,
  tags,
  security,
  summary: 'Run an automation',
  description:
    'Queues a run, also of an automation that is switched off. Its limits count. Takes no body. The same `Idempotency-Key` is the same run.',
  request: { params },
  responses: {
    201: { description: 'The run.', content: json(automationRunSchema) },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

export const listRunsRoute = createRoute({
  method: 'get',
  path: `${path}/{id}/runs`,
  tags,
  security,
  summary: 'List the runs of an automation',
  description: 'Kept for 90 days.',
  request: { params, query: listQuerySchema },
  responses: {
    200: { description: 'The newest first.', content: json(automationRunListSchema) },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})
