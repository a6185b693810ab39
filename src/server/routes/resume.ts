import { createRoute } from '@hono/zod-openapi'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from 'zod'
import { stopResultSchema } from '../../contract/streams.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../count-stream.ts'
import type { DocentServer } from '../create-server.ts'
import { requireReader } from '../reader-request.ts'
import { reply } from '../reply.ts'
import { corsHeadersOf } from '../request-context.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { readStreamOwner, requireSocket } from '../stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import { writeStreamLog } from '../streams/write-stream-log.ts'

const tags = ['Assistant']
const security = [{ assistantKey: [] }]
const params = z.object({
  domain: z.string().meta({ description: "The site's slug or one of its host names." }),
  chatId: z.string().meta({ description: 'The `id` of the body that asked.' }),
})

const resumeRoute = createRoute({
  method: 'get',
  path: '/discovery/v2/assistant/{domain}/message/{chatId}/stream',
  tags,
  summary: 'Resume an answer',
  description:
    'The newest answer of a chat, from its first frame on, and then live. Only for the key and the address that asked, and not once another `fp` or address has used the chat id. Kept for five minutes after the end of an answer that no reader had whole, else for one.',
  security,
  request: { params },
  responses: {
    200: { description: 'The answer, streamed.', content: { 'text/event-stream': { schema: z.string() } } },
    204: { description: 'There is nothing to resume.' },
    ...errorResponses(401, 403, 404, 503),
  },
})

const stopRoute = createRoute({
  method: 'post',
  path: '/discovery/v2/assistant/{domain}/message/{chatId}/stop',
  tags,
  summary: 'Stop an answer',
  description:
    "Ends the chat's running answer at once, wherever it runs; its readers see an `abort` frame. For the key and the address that asked. Takes no body.",
  security,
  request: { params },
  responses: {
    200: { description: 'What was found.', content: { 'application/json': { schema: stopResultSchema } } },
    ...errorResponses(401, 403, 404, 503),
  },
})

export function addResume(app: DocentServer, parts: ServerParts): void {
  app.openAPIRegistry.registerPath(resumeRoute)
  app.get('/discovery/v2/assistant/:domain/message/:chatId/stream', requireReader(parts), (c) =>
    resumeAnswer(c, parts, c.req.param('chatId')),
  )
  app.openAPIRegistry.registerPath(stopRoute)
  app.post('/discovery/v2/assistant/:domain/message/:chatId/stop', requireReader(parts), async (c) => {
    const stopped = await parts.streams.stop(readStreamOwner(c, c.req.param('chatId')))
    return reply(c, stopResultSchema, { stopped }, 200)
  })
}

async function resumeAnswer(c: AppContext, parts: ServerParts, chatId: string): Promise<Response> {
  const { streams } = parts
  const found = await streams.find(readStreamOwner(c, chatId))
  if (found === null) return c.body(null, 204)
  const response = requireSocket(c)
  const headers = { ...corsHeadersOf(c), 'X-Request-Id': c.get('requestId') }
  const outcome = await countStream(parts, 'resumed-answer', () =>
    found.read((log) => writeStreamLog(response, { log, headers, startCountdown })),
  )
  c.get('log').info({ outcome }, 'answer-resumed')
  return RESPONSE_ALREADY_SENT
}
