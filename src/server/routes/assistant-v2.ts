import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { assistantRequestV2Schema } from '../../contract/assistant-request.ts'
import type { DocentServer } from '../create-server.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { streamAnswer } from './answer-route.ts'

const messageRoute = createRoute({
  method: 'post',
  path: '/discovery/v2/assistant/{domain}/message',
  tags: ['Assistant'],
  summary: 'Ask a question (AI SDK 5, 6 and 7)',
  description:
    'Answers with the UI message stream of the AI SDK: server-sent events that end with `data: [DONE]`. An answer whose body names a chat in `id`, as the AI SDK always does, can be resumed.',
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
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

export function addAssistantV2(app: DocentServer, parts: ServerParts): void {
  app.openAPIRegistry.registerPath(messageRoute)
  app.post('/discovery/v2/assistant/:domain/message', (c) => streamAnswer(c, parts, 'v2'))
}
