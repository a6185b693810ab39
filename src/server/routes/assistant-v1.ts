import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { assistantRequestV1Schema } from '../../contract/assistant-request.ts'
import type { DocentServer } from '../create-server.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { streamAnswer } from './answer-route.ts'

/** 2025-07-31, when the AI SDK 5 took over, as RFC 9745 writes a date. There is no sunset. */
const deprecatedSince = '@1753920000'

const messageRoute = createRoute({
  method: 'post',
  path: '/discovery/v1/assistant/{domain}/message',
  tags: ['Assistant'],
  summary: 'Ask a question (AI SDK 4)',
  description: 'Answers with the data stream of the AI SDK 4, from 4.1.15 on. New clients use version 2.',
  deprecated: true,
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
    body: { required: true, content: { 'application/json': { schema: assistantRequestV1Schema } } },
  },
  responses: {
    200: {
      description:
        'The answer, streamed. `X-Thread-Id` names its thread; the first answer of a thread also carries `X-Thread-Key`.',
      content: { 'text/plain': { schema: z.string() } },
    },
    ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
  },
})

export function addAssistantV1(app: DocentServer, parts: ServerParts): void {
  app.openAPIRegistry.registerPath(messageRoute)
  app.post('/discovery/v1/assistant/:domain/message', (c) => {
    const successor = `${parts.baseUrl}${c.req.path.replace('/v1/', '/v2/')}`
    return streamAnswer(c, parts, 'v1', {
      Deprecation: deprecatedSince,
      Link: `<${successor}>; rel="successor-version"`,
    })
  })
}
