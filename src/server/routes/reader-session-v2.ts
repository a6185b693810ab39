import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { readerSessionRequestSchema, readerSessionSchema } from '../../contract/reader-session.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { requestBytesMax, requireJsonBody } from '../read-json.ts'
import { requireReader } from '../reader-request.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const sessionRoute = createRoute({
  method: 'post',
  path: '/discovery/v2/session/{domain}',
  tags: ['Assistant'],
  summary: 'Get a session for a browser',
  description:
    'Needed only for keys that require sessions; other keys get one too. While the network of the client exceeds its usual rate, the reply is a puzzle; send its solution to get the session. A session is valid for one key and one network (an IPv4 address or an IPv6 /64), for ten minutes.',
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
    body: { required: false, content: { 'application/json': { schema: readerSessionRequestSchema } } },
  },
  responses: {
    200: {
      description: 'The session, or a puzzle.',
      content: { 'application/json': { schema: readerSessionSchema } },
    },
    ...errorResponses(400, 401, 403, 404, 413, 415, 503),
  },
})

export function addReaderSession(app: DocentServer, parts: ServerParts): void {
  app.post('/discovery/v2/session/:domain', requireReader(parts), requireJsonBody(parts, requestBytesMax))
  app.openapi(sessionRoute, async (c) => {
    const { key } = c.get('readerRequest')
    // A request without a body has no type, and is not looked at by the schema.
    const { challenge, nonce } = (c.req.valid('json') as z.output<typeof readerSessionRequestSchema> | undefined) ?? {}
    const address = c.get('clientAddress')
    const isSolved = challenge != null && nonce != null
    const offer = isSolved
      ? await parts.readerSessions.redeem(key, address, { challenge, nonce })
      : await parts.readerSessions.offer(key, address)
    const expiresAt = toIsoTime(offer.expiresAt)
    c.header('Cache-Control', 'no-store')
    if (offer.kind === 'session')
      return reply(c, readerSessionSchema, { session: offer.token, expiresAt, puzzle: null }, 200)
    const puzzle = { algorithm: 'sha-256' as const, challenge: offer.challenge, bits: offer.bits }
    return reply(c, readerSessionSchema, { session: null, expiresAt, puzzle }, 200)
  })
}
