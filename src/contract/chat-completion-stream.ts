import type { AnswerEvent } from './answer-event.ts'
import { ChatAnswer } from './chat-completion.ts'
import type { OpenAiError } from './openai-error.ts'
import { encodeStreamJson } from './stream-json.ts'

// Chat completion chunks over server-sent events. OpenAI's own client refuses a stream without `finish_reason`.

export const chatStreamHeaders = { 'content-type': 'text/event-stream; charset=utf-8' } as const

/** A comment, which every client ignores. */
export const chatStreamHeartbeat = ': ping\n\n'

const doneFrame = 'data: [DONE]\n\n'

interface ChatStreamOptions {
  /** UTC milliseconds. */
  startedAtMs: number
  /** Whether a last chunk with the token counts follows. */
  includesUsage: boolean
}

/**
 * Creates the encoder of one answer. Each event becomes its chunks, ready to be written. After the last event's text,
 * which ends in `[DONE]`, write nothing.
 */
export function createChatStreamEncoder(options: ChatStreamOptions): (event: AnswerEvent) => string {
  const answer = new ChatAnswer(options.startedAtMs)
  return (event) => {
    const content = answer.add(event)
    if (event.type === 'answer-started') return encodeChoice(answer, { role: 'assistant', content })
    if (event.type === 'answer-finished') return encodeEnd(answer, content, options.includesUsage)
    if (event.type === 'answer-failed') return encodeFrame(brokenAnswer(event.message)) + doneFrame
    return content === '' ? '' : encodeChoice(answer, { content })
  }
}

function encodeEnd(answer: ChatAnswer, content: string, includesUsage: boolean): string {
  const { head, annotations, citations, finishReason, usage } = answer
  const links = annotations.length === 0 ? '' : encodeChoice(answer, { content, annotations }, { citations })
  const end = encodeChoice(answer, {}, { citations }, finishReason)
  const counts = includesUsage ? encodeFrame({ ...head, object: chunkType, choices: [], usage }) : ''
  return links + end + counts + doneFrame
}

const chunkType = 'chat.completion.chunk'

function encodeChoice(
  { head }: ChatAnswer,
  delta: object,
  more: object = {},
  finishReason: ChatAnswer['finishReason'] | null = null,
): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
  return encodeFrame({ ...head, object: chunkType, choices, ...more })
}

function encodeFrame(frame: object): string {
  return `data: ${encodeStreamJson(frame)}\n\n`
}

function brokenAnswer(message: string): OpenAiError {
  return { error: { message, type: 'server_error', param: null, code: 'answer_failed' } }
}
