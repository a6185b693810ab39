import { emitFrom } from '../support/emit-from.ts'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { AnswerEvent } from '../../src/contract/answer-event.ts'
import { readQuestion, type AssistantQuestion, type AssistantVersion } from '../../src/contract/assistant-request.ts'
import { corsHeaders } from '../../src/server/replies/cors.ts'
import { startCountdown } from '../../src/server/streams/countdown.ts'
import {
  createAnswerFormat,
  writeAnswerStream,
  type AnswerOutcome,
} from '../../src/server/streams/write-answer-stream.ts'
import { fullAnswer, openAnswer } from './scripted-answers.ts'
import type { WireServer } from './wire-server.ts'

/** What to ask the scripted server for each of its behaviours; any other question gets the full answer. */
export const scriptedQuestions = {
  full: 'How do I start?',
  failing: 'Break in the middle.',
  endless: 'Never end.',
  refused: 'Refuse me.',
} as const

export const refusalBody = { error: 'Wait 60 seconds and ask again.', code: 'limit_reached' }
export const firstThreadId = '01HZZZZZZZZZZZZZZZZZZZZZZZ'

export interface ScriptedServer extends WireServer {
  readonly questions: AssistantQuestion[]
  /** Requests by method and path, preflights included, with their headers. */
  readonly requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[]
  /** How each stream ended, in order. */
  readonly outcomes: AnswerOutcome[]
  /** Begins the shutdown of streams. */
  drain(): void
}

/** Answers by script through the product's own encoders, writer, request reader and CORS. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const drain = new AbortController()
  const log = {
    questions: [] as AssistantQuestion[],
    requests: [] as ScriptedServer['requests'],
    outcomes: [] as AnswerOutcome[],
  }
  const server = createServer((request, response) => {
    log.requests.push({ method: request.method, url: request.url, headers: request.headers })
    handle(request, response, { ...log, drainSignal: drain.signal }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // An address is an object for every server that listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    ...log,
    url: (version) => `http://127.0.0.1:${port}/discovery/${version}/assistant/docs/message`,
    headers: { authorization: 'Bearer svc_dsc_test' },
    drain: () => drain.abort(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Log = Pick<ScriptedServer, 'questions' | 'outcomes'> & { drainSignal: AbortSignal }

async function handle(request: IncomingMessage, response: ServerResponse, log: Log): Promise<void> {
  const cors = corsHeaders({
    method: request.method ?? '',
    origin: request.headers.origin ?? null,
    requestedHeaders: request.headers['access-control-request-headers'] ?? null,
  })
  // No message is ever resumed here, and 204 is the reply that no client takes for a failure.
  if (cors.isPreflight || request.method === 'GET') {
    response.writeHead(204, cors.headers).end()
    return
  }
  const version: AssistantVersion = request.url?.startsWith('/discovery/v1/') ? 'v1' : 'v2'
  const question = readQuestion(version, await json(request))
  log.questions.push(question)
  if (question.question === scriptedQuestions.refused) {
    response.writeHead(429, { ...cors.headers, 'content-type': 'application/json' }).end(JSON.stringify(refusalBody))
    return
  }
  const threadId = question.threadId ?? firstThreadId
  const outcome = await writeAnswerStream(response, {
    format: createAnswerFormat(version, question.isSdkClient),
    headers: { ...cors.headers, 'X-Thread-Id': threadId },
    source: emitFrom((signal) => playScript(question, threadId, signal)),
    startCountdown,
    drainSignal: log.drainSignal,
    reportError: () => undefined,
  })
  log.outcomes.push(outcome)
}

async function* playScript(
  { question, messages }: AssistantQuestion,
  threadId: string,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  if (question === scriptedQuestions.failing) {
    yield* openAnswer(threadId)
    throw new Error('password=secret')
  }
  if (question !== scriptedQuestions.endless) return yield* fullAnswer(threadId, `msg_${messages.length}`)
  yield* openAnswer(threadId)
  for (;;) {
    await delay(5, undefined, { signal })
    yield { type: 'text-delta', id: 'text_1', text: 'and ' }
  }
}
