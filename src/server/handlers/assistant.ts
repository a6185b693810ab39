import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { runCounted } from '../../access/limits/consume-limits.ts'
import type { assistantOperations } from '../../contract/operations/assistant.ts'
import { giveFeedback, requireAnswer } from '../../insights/give-feedback.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../replies/count-stream.ts'
import { corsHeadersOf } from '../requests/request-context.ts'
import { consumeReaderLimits } from '../requests/request-limits.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { readStreamOwner, requireSocket } from '../streams/stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import { writeStreamLog } from '../streams/write-stream-log.ts'
import { streamAnswer } from './answer-route.ts'

/** 2025-07-31, when AI SDK 5 took over, in the date format of RFC 9745. No sunset is planned. */
const deprecatedSince = '@1753920000'

export function createAssistantHandlers(deps: ServerDeps): Handlers<typeof assistantOperations> {
  return {
    askQuestionV1: ({ c }) => {
      const successor = `${deps.baseUrl}${c.req.path.replace('/v1/', '/v2/')}`
      return streamAnswer(c, deps, 'v1', {
        Deprecation: deprecatedSince,
        Link: `<${successor}>; rel="successor-version"`,
      })
    },

    askQuestion: ({ c }) => streamAnswer(c, deps, 'v2'),

    resumeAnswer: ({ c, params }) => resumeAnswer(c, deps, params.chatId),

    stopAnswer: async ({ c, params }) => ({ stopped: await deps.streams.stop(readStreamOwner(c, params.chatId)) }),

    createReaderSession: async ({ c, body: { challenge, nonce } }) => {
      const { key } = c.get('readerRequest')
      const address = c.get('clientAddress')
      const isSolved = challenge != null && nonce != null
      const offer = isSolved
        ? await deps.readerSessions.redeem(key, address, { challenge, nonce })
        : await deps.readerSessions.offer(key, address)
      const expiresAt = offer.expiresAt
      c.header('Cache-Control', 'no-store')
      if (offer.kind === 'session') return { session: offer.token, expiresAt, puzzle: null }
      const puzzle = { algorithm: 'sha-256' as const, challenge: offer.challenge, bits: offer.bits }
      return { session: null, expiresAt, puzzle }
    },

    giveFeedback: async ({ c, body: { messageId, helpful, fp, reason, note } }) => {
      const { site } = c.get('readerRequest')
      // Feedback on an unknown answer must not count, so look up the answer before consuming the limit.
      const threadId = await requireAnswer(deps.store, site.id, messageId)
      const rateLimit = await consumeReaderLimits(c, deps)
      const feedback = {
        siteId: site.id,
        threadId,
        messageId,
        path: null,
        fp: fp || 'anonymous',
        isHelpful: helpful,
        reason: reason || null,
        note: note || null,
      }
      const stored = await runCounted(deps, rateLimit, c.req.raw.signal, () => giveFeedback(deps, feedback))
      for (const [name, value] of Object.entries(rateLimit)) c.header(name, value)
      return { ...stored, messageId, helpful: stored.isHelpful }
    },
  }
}

async function resumeAnswer(c: AppContext, deps: ServerDeps, chatId: string): Promise<Response> {
  const found = await deps.streams.find(readStreamOwner(c, chatId))
  if (found === null) return c.body(null, 204)
  const response = requireSocket(c)
  const headers = { ...corsHeadersOf(c), 'X-Request-Id': c.get('requestId') }
  const outcome = await countStream(deps, 'resumed-answer', () =>
    found.read((log) => writeStreamLog(response, { log, headers, startCountdown })),
  )
  c.get('log').info({ outcome }, 'answer-resumed')
  return RESPONSE_ALREADY_SENT
}
