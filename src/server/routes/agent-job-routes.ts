import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  agentJobCreateSchema,
  agentJobListQuerySchema,
  agentJobListSchema,
  agentJobMessageSchema,
  agentJobSchema,
} from '../../contract/agent-job.ts'
import { errorResponses } from '../route-responses.ts'

const tags = ['Agent']
const security = [{ adminKey: [] }]
const projectParams = z.object({ projectId: z.string().meta({ description: 'Id of the project.' }) })
const jobParams = projectParams.extend({ id: z.string().meta({ description: 'Id of the job.' }) })
const jobContent = { 'application/json': { schema: agentJobSchema } }

const createJobRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job',
  tags,
  security,
  summary: 'Create a job',
  description:
    'Answers at once; poll the job until its `status` is `completed` or `failed`, or follow its events. The same `Idempotency-Key` and body within 24 hours give the same job, the same key with another body is refused with 409.',
  request: {
    params: projectParams,
    headers: z.object({
      'Idempotency-Key': z.string().optional().meta({ description: 'Chosen by the client, up to 255 characters.' }),
    }),
    body: { required: true, content: { 'application/json': { schema: agentJobCreateSchema } } },
  },
  responses: {
    201: { description: 'The job.', content: jobContent },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
  },
})

const listJobsRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/jobs',
  tags,
  security,
  summary: 'List jobs',
  request: { params: projectParams, query: agentJobListQuerySchema },
  responses: {
    200: { description: 'Jobs, the newest first.', content: { 'application/json': { schema: agentJobListSchema } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

const getJobRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/job/{id}',
  tags,
  security,
  summary: 'Get a job',
  request: { params: jobParams },
  responses: { 200: { description: 'The job.', content: jobContent }, ...errorResponses(401, 403, 404, 503) },
})

const messageRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job/{id}/message',
  tags,
  security,
  summary: 'Send a further message to a job',
  description:
    'A job that has ended is `active` again and continues its branch and pull request; after the pull request was merged or closed it starts anew and opens another one. An active job reads the message after its current step.',
  request: {
    params: jobParams,
    body: { required: true, content: { 'application/json': { schema: agentJobMessageSchema } } },
  },
  responses: {
    200: { description: 'The job.', content: jobContent },
    ...errorResponses(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
  },
})

const cancelRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job/{id}/cancel',
  tags,
  security,
  summary: 'Cancel a job',
  description: 'An active job ends as `failed` with the code `cancelled`. One that has ended stays as it is.',
  request: { params: jobParams },
  responses: { 200: { description: 'The job.', content: jobContent }, ...errorResponses(401, 403, 404, 503) },
})

const archiveRoute = createRoute({
  method: 'post',
  path: '/v2/agent/{projectId}/job/{id}/archive',
  tags,
  security,
  summary: 'Archive a job',
  description: 'It keeps its status and takes no more messages.',
  request: { params: jobParams },
  responses: { 200: { description: 'The job.', content: jobContent }, ...errorResponses(401, 403, 404, 409, 503) },
})

const eventsRoute = createRoute({
  method: 'get',
  path: '/v2/agent/{projectId}/job/{id}/events',
  tags,
  security,
  summary: 'Follow a job',
  description:
    'Server-sent events: everything that has happened, then live until the job ends. Each event carries its number as `id`; a client that comes back sends the last one as `Last-Event-ID`.',
  request: {
    params: jobParams,
    headers: z.object({
      'Last-Event-ID': z.string().optional().meta({ description: 'The last event that the client has.' }),
    }),
  },
  responses: {
    200: { description: 'The events.', content: { 'text/event-stream': { schema: z.string() } } },
    ...errorResponses(400, 401, 403, 404, 503),
  },
})

/** For the description of the API. The handlers are mounted apart, because one of them streams. */
export const agentJobRoutes = [
  createJobRoute,
  listJobsRoute,
  getJobRoute,
  messageRoute,
  cancelRoute,
  archiveRoute,
  eventsRoute,
]
