import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { runCounted } from '../../access/take-limits.ts'
import { feedbackCreateSchema, feedbackReplySchema } from '../../contract/feedback.ts'
import { giveFeedback, requireAnswer } from '../../insights/give-feedback.ts'
import type { DocentServer } from '../create-server.ts'
import { toIsoTime } from '../iso-time.ts'
import { requestBytesMax } from '../read-json.ts'
import { reply } from '../reply.ts'
import { acceptReader } from '../accept-reader.ts'
import { takeReaderLimits } from '../request-limits.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const feedbackRoute = createRoute({
  method: 'post',
  path: '/discovery/v2/assistant/{domain}/feedback',
  tags: ['Assistant'],
  summary: 'Say whether an answer helped',
  description: 'One per answer and `fp`: saying it again changes it. Counts against a limit of its own.',
  security: [{ assistantKey: [] }],
  request: {
    params: z.object({ domain: z.string().meta({ description: "The site's slug or one of its host names." }) }),
    body: { required: true, content: { 'application/json': { schema: feedbackCreateSchema } } },
  },
  responses: {
    200: { description: 'As it is stored.', content: { 'application/json': { schema: feedbackReplySchema } } },
    ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
  },
})

export function addFeedbackV2(app: DocentServer, parts: ServerParts): void {
  const path = '/discovery/v2/assistant/:domain/feedback'
  app.post(path, ...acceptReader(parts, 'feedback', { bytesMax: requestBytesMax }))
  app.openapi(feedbackRoute, async (c) => {
    const { site } = c.get('readerRequest')
    const { messageId, helpful, fp, reason, note } = c.req.valid('json')
    // Feedback on nothing counts for nothing, so the answer is looked up before the limit is taken.
    const threadId = await requireAnswer(parts.store, site.id, messageId)
    const rateLimit = await takeReaderLimits(c, parts)
    const feedback = {
      siteId: site.id,
      threadId,
      messageId,
      fp: fp || 'anonymous',
      isHelpful: helpful,
      reason: reason || null,
      note: note || null,
    }
    const stored = await runCounted(parts, rateLimit, c.req.raw.signal, () => giveFeedback(parts, feedback))
    for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
    const { isHelpful, createdAt, updatedAt } = stored
    const times = { createdAt: toIsoTime(createdAt), updatedAt: toIsoTime(updatedAt) }
    return reply(c, feedbackReplySchema, { ...stored, helpful: isHelpful, ...times }, 200)
  })
}
