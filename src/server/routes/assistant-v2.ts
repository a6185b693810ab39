import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { assistantRequestV2Schema } from '../../contract/assistant-request.ts'
import type { DocentServer } from '../create-server.ts'
import { requireReader } from '../reader-request.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { streamAnswer } from './answer-route.ts'

const domainParam = z.string().meta({ description: "The site's slug or one of its host names." })

const messageRoute = createRoute({
  method: 'post',
  path: '/discovery/v2/assistant/{domain}/message',
  tags: ['Assistant'],
  summary: 'Ask a question (AI SDK 5, 6 and 7)',
  description: 'Answers with the UI message stream of the AI SDK: server-sent events that end with `data: [DONE]`.',
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: domainParam }),
    body: { required: true, content: { 'application/json': { schema: assistantRequestV2Schema } } },
  },
  responses: {
    200: {
      description:
        'The answer, streamed. `X-Thread-Id` names its thread; the first answer of a thread also carries `X-Thread-Key`.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
    ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
  },
})

const resumeRoute = createRoute({
  method: 'get',
  path: '/discovery/v2/assistant/{domain}/message/{chatId}/stream',
  tags: ['Assistant'],
  summary: 'Resume an answer',
  description: 'Answers that can be resumed are not kept yet, so there is never anything to resume: 204.',
  security: [{ assistantKey: [] }],
  request: { params: z.object({ domain: domainParam, chatId: z.string() }) },
  responses: { 204: { description: 'There is nothing to resume.' }, ...errorResponses(401, 403, 404, 503) },
})

export function addAssistantV2(app: DocentServer, parts: ServerParts): void {
  app.openAPIRegistry.registerPath(messageRoute)
  app.post('/discovery/v2/assistant/:domain/message', (c) => streamAnswer(c, parts, 'v2'))
  app.openAPIRegistry.registerPath(resumeRoute)
  app.get('/discovery/v2/assistant/:domain/message/:chatId/stream', requireReader(parts), (c) => c.body(null, 204))
}
