import { type AnswerDeps, answerQuestion } from '../assistant/answer-question.ts'
import { openThread } from '../assistant/open-thread.ts'
import type { AnswerEvent } from '../contract/answer-event.ts'
import { AppError } from '../contract/app-error.ts'
import { questionMessagesMax, readQuestion } from '../contract/assistant-request.ts'
import type { BotPlatformName } from '../contract/bot-platforms.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import { listNewestMessages, type Message } from '../store/answers/messages.ts'
import type { Log } from '../telemetry/log.ts'

export interface ChatQuestionInput {
  platform: BotPlatformName
  site: LiveSite
  /** Id of the thread. */
  conversation: string
  fp: string
  text: string
  /** Groups whose pages may be used. */
  groups: readonly string[]
  /** UTC milliseconds of the first attempt; what was stored later is this question and its answer. */
  startedAt: number
  log: Log
}

/**
 * Answers a question of a chat in its thread. If an earlier attempt has stored the answer, that is returned and no model
 * is called.
 *
 * @param onText Receives the text so far.
 * @returns The stored answer.
 * @throws {AppError} `answer_failed` with a sentence for readers; the signal's reason.
 */
export async function answerChatQuestion(
  deps: AnswerDeps,
  input: ChatQuestionInput,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<Message> {
  const earlier = await findAnswer(deps, input)
  if (earlier !== null) return earlier
  const { site, platform, groups, log } = input
  const question = readQuestion('v2', await writeRequest(deps, input))
  const thread = await openThread(deps, site.id, question)
  let text = ''
  let failure: string | null = null
  const emit = (event: AnswerEvent): undefined => {
    if (event.type === 'text-delta') onText((text += event.text))
    if (event.type === 'answer-failed') failure = event.message
  }
  const answer = {
    site,
    question,
    thread,
    reader: { readerGroups: [...groups], isSignedIn: groups.length > 0 },
    links: 'absolute',
    asker: { caller: platform, keyId: null, origin: null },
    answerOptions: ['citation-markers'],
    log,
  } as const
  await answerQuestion(deps, answer, emit, signal)
  signal.throwIfAborted()
  if (failure !== null) throw new AppError('answer_failed', failure)
  const stored = await findAnswer(deps, input)
  if (stored === null) throw new Error('The answer finished and was not stored.')
  return stored
}

/** The answer of an earlier attempt. One that broke off is given again. */
async function findAnswer({ store }: AnswerDeps, input: ChatQuestionInput): Promise<Message | null> {
  const { site, conversation, startedAt } = input
  const period = { from: startedAt, to: Number.MAX_SAFE_INTEGER, limit: 2 }
  const [question, answer] = await listNewestMessages(store.durable, { siteId: site.id, id: conversation }, period)
  // The last answer before this question may have been stored in the same millisecond, but its question was not.
  if (question?.role !== 'user' || answer?.role !== 'assistant') return null
  return answer.verdict === 'failed' || answer.verdict === 'disconnected' ? null : answer
}

/** The request that a client would send: the thread before this question, and the question. */
async function writeRequest({ store }: AnswerDeps, input: ChatQuestionInput): Promise<object> {
  const { site, conversation, startedAt, fp, text } = input
  const period = { from: 0, to: startedAt, limit: questionMessagesMax - 1 }
  const history = await listNewestMessages(store.durable, { siteId: site.id, id: conversation }, period)
  const messages = [...history, { role: 'user', text }].map(({ role, text: content }) => ({
    role,
    parts: [{ type: 'text', text: content }],
  }))
  return { fp, threadId: conversation, messages }
}
