import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { answerBounds } from '../../assistant/answer-bounds.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ChatQuestion } from '../../contract/chat-completion-request.ts'
import { ChatAnswer, chatModelId, completeChat } from '../../contract/chat-completion.ts'
import {
  chatStreamHeaders,
  chatStreamHeartbeat,
  createChatStreamEncoder,
} from '../../contract/chat-completion-stream.ts'
import type { chatCompletionOperations } from '../../contract/operations/chat-completions.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AppContext } from '../app-env.ts'
import { takeQuestion } from '../bodies/read-json.ts'
import { answerFailed } from '../replies/answer-failed.ts'
import type { HandledRequest, Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { startCountdown } from '../streams/countdown.ts'
import { brokenAnswerMessage, runSource } from '../streams/run-source.ts'
import { requireSocket } from '../streams/stream-request.ts'
import { writeAnswerStream } from '../streams/write-answer-stream.ts'
import { type AdmittedAnswer, answerReader, logAnswerEnd } from './answer-route.ts'

/** Beyond the time limit of an answer, for storing and sending it. */
const silenceMs = 30_000

type CompletionRequest = HandledRequest<(typeof chatCompletionOperations)['createChatCompletion']>

export function createChatCompletionHandlers(deps: ServerDeps): Handlers<typeof chatCompletionOperations> {
  return {
    createChatCompletion: async ({ c, headers }) => {
      const question = withHeaders(await takeQuestion(c, 'chat'), headers)
      if (question.taskReply !== null) {
        return c.json(completeChat(deps.ids.prefixed('task'), deps.clock.now(), question.taskReply))
      }
      return answerReader(c, deps, question, (answer) =>
        question.streams ? streamCompletion(c, deps, question, answer) : sendCompletion(c, deps, answer),
      )
    },

    listChatModels: ({ c }) => ({ object: 'list', data: [describeModel(c.get('readerRequest').site)] }),

    getChatModel: ({ c, params: { model } }) => {
      if (model !== chatModelId) throw new AppError('not_found', `There is no such model. Use ${chatModelId}.`)
      return describeModel(c.get('readerRequest').site)
    },
  }
}

/** Values in the body take precedence, because proxies may set headers for all requests. */
function withHeaders(question: ChatQuestion, headers: CompletionRequest['headers']): ChatQuestion {
  const threadId = headers['X-Thread-Id'] ?? headers['X-OpenWebUI-Chat-Id'] ?? null
  const fp = question.fp === 'anonymous' ? (headers['X-OpenWebUI-User-Id'] ?? question.fp) : question.fp
  return { ...question, fp, threadId: question.threadId ?? threadId }
}

function describeModel({ slug, generation }: LiveSite) {
  const created = Math.floor(generation.createdAt / 1_000)
  return { id: chatModelId, object: 'model' as const, created, owned_by: slug }
}

async function streamCompletion(
  c: AppContext,
  deps: ServerDeps,
  { includesUsage }: ChatQuestion,
  answer: AdmittedAnswer,
): Promise<Response> {
  const encode = createChatStreamEncoder({ startedAtMs: deps.clock.now(), includesUsage })
  const outcome = await writeAnswerStream(requireSocket(c), {
    ...answer,
    format: { headers: chatStreamHeaders, heartbeat: chatStreamHeartbeat, encode },
    startCountdown,
    drainSignal: deps.lifecycle.streamsEnd,
  })
  logAnswerEnd(c, 'chat', outcome)
  return RESPONSE_ALREADY_SENT
}

/** Sends the completion as a whole. @throws {AppError} `answer_failed`, `draining`. */
async function sendCompletion(c: AppContext, deps: ServerDeps, answer: AdmittedAnswer): Promise<Response> {
  const { signal: disconnected } = c.req.raw
  const { streamsEnd } = deps.lifecycle
  const completion = new ChatAnswer(deps.clock.now())
  // No heartbeat can be sent before the status is known.
  c.env.outgoing?.setTimeout(answerBounds.timeMs + silenceMs)
  const outcome = await runSource({
    ...answer,
    sink: { write: () => undefined, end: () => undefined },
    encode: (event) => completion.add(event),
    signal: AbortSignal.any([disconnected, streamsEnd]),
  })
  logAnswerEnd(c, 'chat', disconnected.aborted ? 'disconnected' : streamsEnd.aborted ? 'drained' : outcome)
  if (streamsEnd.aborted && outcome === 'failed') throw streamsEnd.reason
  if (outcome === 'failed') throw answerFailed(completion.failure ?? { message: brokenAnswerMessage })
  for (const [name, value] of Object.entries(answer.headers)) c.header(name, value)
  return c.json(completion.complete())
}
