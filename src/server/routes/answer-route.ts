import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { answerQuestion } from '../../assistant/answer-question.ts'
import { type OpenThread, openThread } from '../../assistant/open-thread.ts'
import { type AssistantVersion, readQuestion } from '../../contract/assistant-request.ts'
import type { AppContext } from '../app-env.ts'
import { readJson } from '../read-json.ts'
import { corsHeadersOf } from '../request-context.ts'
import { takeAssistantLimits } from '../request-limits.ts'
import type { ServerParts } from '../server-parts.ts'
import { startCountdown } from '../streams/countdown.ts'
import { writeAnswerStream } from '../streams/write-answer-stream.ts'

/**
 * Answers a message of either version: everything that can be refused is, then the limits count it, then it streams.
 *
 * The stream goes to the Node response itself, which costs half of what the framework's own stream does.
 */
export async function streamAnswer(
  c: AppContext,
  parts: ServerParts,
  version: AssistantVersion,
  versionHeaders: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { key, site, reader } = c.get('readerRequest')
  const question = readQuestion(version, await readJson(c))
  const thread = await openThread(parts.answers, site.id, question)
  const rateLimit = await takeAssistantLimits(parts, key, c.get('clientAddress'))
  const response = c.env.outgoing
  if (response === undefined) throw new Error('Answers stream to a socket, and this request has none.')
  const log = c.get('log')
  const outcome = await writeAnswerStream(response, {
    version,
    isSdkClient: question.isSdkClient,
    headers: {
      ...corsHeadersOf(c),
      ...rateLimit,
      ...versionHeaders,
      ...threadHeaders(thread),
      'X-Request-Id': c.get('requestId'),
    },
    source: (emit, signal) => answerQuestion(parts.answers, { site, reader, question, thread, log }, emit, signal),
    startCountdown,
    drainSignal: parts.lifecycle.streamsEnd,
    reportError: (error) => log.error({ error }, 'answer-broken'),
  })
  log.info({ siteId: site.id, keyId: key.id, version, outcome }, 'answer-ended')
  return RESPONSE_ALREADY_SENT
}

/** A thread id that a client chose may hold characters that no header can. */
function threadHeaders({ id, key, isNew }: OpenThread): Record<string, string> {
  const isPlain = /^[\x21-\x7e]+$/.test(id)
  return { 'X-Thread-Id': isPlain ? id : encodeURIComponent(id), ...(isNew ? { 'X-Thread-Key': key } : {}) }
}
