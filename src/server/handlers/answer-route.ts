import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { requireAllowedPlace } from '../../access/keys/authenticate.ts'
import { answerQuestion } from '../../assistant/answer-question.ts'
import { type OpenThread, openThread } from '../../assistant/open-thread.ts'
import { type Caller, readCaller } from '../../contract/insights.ts'
import type { AssistantQuestion, AssistantVersion, LinkStyle } from '../../contract/assistant-request.ts'
import type { QuestionFormat } from '../../contract/question-formats.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import type { AppContext } from '../app-env.ts'
import { takeQuestion } from '../bodies/read-json.ts'
import { countStream } from '../replies/count-stream.ts'
import { corsHeadersOf } from '../requests/request-context.ts'
import { consumeReaderLimits, listPageLimits } from '../requests/request-limits.ts'
import type { ServerDeps } from '../server-deps.ts'
import { readStreamOwner, requireSocket } from '../streams/stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import type { StreamOwner } from '../streams/resumable-stream.ts'
import type { AnswerSource } from '../streams/run-source.ts'
import {
  type AnswerOutcome,
  type AnswerStream,
  createAnswerFormat,
  writeAnswerStream,
} from '../streams/write-answer-stream.ts'
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
  const response = requireSocket(c)
  const outcome = await answerReader(c, deps, question, (admitted) => {
    const answer = { ...admitted, headers: { ...versionHeaders, ...admitted.headers } }
    return version === 'v2' && question.chatId !== null
      ? writeResumableAnswer(response, deps, readStreamOwner(c, question.chatId), { question, ...answer })
      : writeAnswerStream(response, {
          ...answer,
          format: createAnswerFormat(version, question.isSdkClient),
          startCountdown,
          drainSignal: deps.lifecycle.streamsEnd,
        })
  })
  logAnswerEnd(c, version, outcome)
  return RESPONSE_ALREADY_SENT
}

/** What a request does not declare, its key may. */
function applyKey(question: AssistantQuestion, { answerOptions }: Pick<ApiKey, 'answerOptions'>): AssistantQuestion {
  return answerOptions.includes('ai-sdk') ? { ...question, isSdkClient: true } : question
}

export function logAnswerEnd(c: AppContext, format: QuestionFormat, outcome: AnswerOutcome): void {
  const { key, site } = c.get('readerRequest')
  c.get('log').info({ siteId: site.id, keyId: key.id, format, outcome }, 'answer-ended')
}

/** An answer that was admitted but has not begun. */
export type AdmittedAnswer = Pick<AnswerStream, 'source' | 'headers' | 'reportError'>

/**
 * Answers a question of any format: checks what can refuse it, consumes its limits, then hands it to `write`.
 *
 * @throws {AppError} `overloaded`, `limit_reached`, `session_required`, `thread_not_found`.
 */
export async function answerReader<Result>(
  c: AppContext,
  deps: ServerDeps,
  question: AssistantQuestion,
  write: (answer: AdmittedAnswer) => Promise<Result>,
  caller: Caller = readCaller(c.req.header('x-docent-client')),
): Promise<Result> {
  // Before the limits, because a request refused for lack of capacity has used nothing.
  const release = await deps.answerGate.acquire(c.get('readerRequest').site.id, c.req.raw.signal)
  try {
    const answer = await admitAnswer(c, deps, { ...question, caller }, release)
    return await countStream(deps, 'answer', () => write(answer))
  } catch (error) {
    release()
    throw error
  }
}

/**
 * Answers a program that reads no stream and cannot get a session, within the limits of its key. Without one, the public
 * key of the site may be spent by its own pages and by programs, not by other pages.
 *
 * @throws {AppError} as `answerReader`; `ip_not_allowed`, `origin_not_allowed`.
 */
export function answerProgram<Result>(
  c: AppContext,
  deps: ServerDeps,
  question: AssistantQuestion,
  write: (answer: AdmittedAnswer) => Promise<Result>,
  caller?: Caller,
): Promise<Result> {
  const { key, isAnonymous } = c.get('readerRequest')
  const address = c.get('clientAddress')
  const origin = c.req.header('origin') ?? new URL(deps.baseUrl).origin
  if (isAnonymous) requireAllowedPlace(key, { address, origin, host: c.req.header('host') }, deps.baseUrl)
  const limits = listPageLimits(deps, 'completion', { key, address })
  c.set('admission', { use: 'completion', session: null, limits })
  return answerReader(c, deps, question, write, caller)
}

/** @param release Releases the gate. Called when the answer is complete, whether or not anybody has read it. */
async function admitAnswer(
  c: AppContext,
  deps: ServerDeps,
  { caller, ...question }: AssistantQuestion & { caller: Caller },
  release: () => void,
): Promise<AdmittedAnswer> {
  const { key, site, reader } = c.get('readerRequest')
  const thread = await openThread(deps.answers, site.id, question)
  const rateLimit = await consumeReaderLimits(c, deps)
  const log = c.get('log')
  const origin = c.req.header('origin')
  const links = question.links ?? chooseLinks(origin, site.url)
  const asker = { caller, keyId: key.id, origin: origin?.slice(0, originCharsMax).toLowerCase() ?? null }
  const { answerOptions } = key
  const input = { site, reader, question, links, thread, asker, answerOptions, log }
  const source: AnswerSource = (emit, signal) => answerQuestion(deps.answers, input, emit, signal).finally(release)
  return {
    source,
    headers: {
      ...corsHeadersOf(c),
      ...rateLimit,
      ...threadHeaders(thread),
      'X-Request-Id': c.get('requestId'),
    },
    reportError: (error) => {
      deps.operations.errors.note('internal_error', key.organizationId)
      log.error({ error }, 'answer-broken')
    },
  }
}

/** As long as a key's origins may be; tools may send anything. */
const originCharsMax = 300

/** Only the pages of the site are known to be on the host that relative links refer to. */
function chooseLinks(origin: string | undefined, siteUrl: string): LinkStyle {
  return origin === new URL(siteUrl).origin ? 'relative' : 'absolute'
}

interface RoutedAnswer extends AdmittedAnswer {
  question: AssistantQuestion
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
