import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { answerQuestion } from '../../assistant/answer-question.ts'
import { type OpenThread, openThread } from '../../assistant/open-thread.ts'
import { readCaller } from '../../contract/insights.ts'
import type { AssistantQuestion, AssistantVersion, LinkStyle } from '../../contract/assistant-request.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import type { AppContext } from '../app-env.ts'
import { takeQuestion } from '../bodies/read-json.ts'
import { countStream } from '../replies/count-stream.ts'
import { corsHeadersOf } from '../requests/request-context.ts'
import { consumeReaderLimits } from '../requests/request-limits.ts'
import type { ServerDeps } from '../server-deps.ts'
import { readStreamOwner, requireSocket } from '../streams/stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import type { StreamOwner } from '../streams/resumable-stream.ts'
import type { AnswerSource } from '../streams/run-source.ts'
import { type AnswerOutcome, writeAnswerStream } from '../streams/write-answer-stream.ts'
import { writeStreamLog } from '../streams/write-stream-log.ts'

/**
 * Answers a message of either version: first everything that can refuse it, then its limits are consumed, then it
 * streams.
 *
 * Writes to the Node response directly, which costs half as much as the framework's stream.
 */
export async function streamAnswer(
  c: AppContext,
  deps: ServerDeps,
  version: AssistantVersion,
  versionHeaders: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const question = applyKey(await takeQuestion(c, version), c.get('readerRequest').key)
  // Before the limits, because a request refused for lack of capacity has used nothing.
  const release = await deps.answerGate.acquire(c.get('readerRequest').site.id, c.req.raw.signal)
  const outcome = await writeAnswer(c, deps, { version, versionHeaders, question, release }).catch((error: unknown) => {
    release()
    throw error
  })
  const { key, site } = c.get('readerRequest')
  c.get('log').info({ siteId: site.id, keyId: key.id, version, outcome }, 'answer-ended')
  return RESPONSE_ALREADY_SENT
}

/** What a request does not declare, its key may. */
function applyKey(question: AssistantQuestion, { answerOptions }: Pick<ApiKey, 'answerOptions'>): AssistantQuestion {
  return answerOptions.includes('ai-sdk') ? { ...question, isSdkClient: true } : question
}

interface AdmittedQuestion {
  version: AssistantVersion
  versionHeaders: Readonly<Record<string, string>>
  question: AssistantQuestion
  /** Releases the gate. Called when the answer is complete, whether or not anybody has read it. */
  release: () => void
}

async function writeAnswer(c: AppContext, deps: ServerDeps, admitted: AdmittedQuestion): Promise<AnswerOutcome> {
  const { version, versionHeaders, question, release } = admitted
  const { key, site, reader } = c.get('readerRequest')
  const response = requireSocket(c)
  const thread = await openThread(deps.answers, site.id, question)
  const rateLimit = await consumeReaderLimits(c, deps)
  const log = c.get('log')
  const links = question.links ?? chooseLinks(c.req.header('origin'), site.url)
  const asker = { caller: readCaller(c.req.header('x-docent-client')), keyId: key.id }
  const { answerOptions } = key
  const input = { site, reader, question, links, thread, asker, answerOptions, log }
  const source: AnswerSource = (emit, signal) => answerQuestion(deps.answers, input, emit, signal).finally(release)
  const answer: RoutedAnswer = {
    question,
    source,
    headers: {
      ...corsHeadersOf(c),
      ...rateLimit,
      ...versionHeaders,
      ...threadHeaders(thread),
      'X-Request-Id': c.get('requestId'),
    },
    reportError: (error) => {
      deps.operations.errors.note('internal_error', key.organizationId)
      log.error({ error }, 'answer-broken')
    },
  }
  const write = (): Promise<AnswerOutcome> =>
    version === 'v2' && question.chatId !== null
      ? writeResumableAnswer(response, deps, readStreamOwner(c, question.chatId), answer)
      : writeAnswerStream(response, {
          ...answer,
          version,
          isSdkClient: question.isSdkClient,
          startCountdown,
          drainSignal: deps.lifecycle.streamsEnd,
        })
  return countStream(deps, 'answer', write)
}

/** Only the pages of the site are known to be on the host that relative links refer to. */
function chooseLinks(origin: string | undefined, siteUrl: string): LinkStyle {
  return origin === new URL(siteUrl).origin ? 'relative' : 'absolute'
}

interface RoutedAnswer {
  question: AssistantQuestion
  source: AnswerSource
  headers: Readonly<Record<string, string>>
  reportError: (error: unknown) => void
}

/** A client that names its chat may come back to the answer, so it is completed even if the client disconnects. */
function writeResumableAnswer(
  response: ServerResponse,
  { streams }: ServerDeps,
  owner: StreamOwner,
  { question, source, headers, reportError }: RoutedAnswer,
): Promise<'finished' | 'disconnected'> {
  const { fp, isSdkClient } = question
  return streams
    .start(owner, { fp, isSdkClient, source, reportError })
    .read((log) => writeStreamLog(response, { log, headers, startCountdown }))
}

/** A client-chosen thread id may contain characters that are invalid in headers. */
function threadHeaders({ id, key, isNew }: OpenThread): Record<string, string> {
  const isPlain = /^[\x21-\x7e]+$/.test(id)
  return { 'X-Thread-Id': isPlain ? id : encodeURIComponent(id), ...(isNew ? { 'X-Thread-Key': key } : {}) }
}
