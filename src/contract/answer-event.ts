import type { Citation, CitedPassage } from './citations.ts'
import type { JsonValue } from './json.ts'

/** Tokens of one model call or of a whole answer. */
export interface TokenUsage {
  inputTokens: number
  outputTokens: number
}

/** A page that an answer suggests besides those it cites. */
export interface SuggestedPage {
  /** Without Markdown and addresses. */
  title: string
  /** From the root of the site. */
  path: string
  /** Absolute. */
  url: string
}

export const finishReasons = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const

export type FinishReason = (typeof finishReasons)[number]

/**
 * What happens while a question is answered, independent of any wire format. Encoders turn events into the formats of
 * AI SDK 4 and of AI SDK 5 to 7.
 *
 * Order: `answer-started` comes first; everything else but the last event lies between a `step-started` and its
 * `step-finished`; text and reasoning parts do not overlap within a step; a `tool-returned` or `tool-failed` follows
 * its `tool-called`; a `sentence-cited` follows the text of its sentence and the `source-cited` of its section;
 * `step-restarted` takes back everything since the `step-started`. The last event is exactly one of `answer-finished`
 * and `answer-failed`.
 */
export type AnswerEvent =
  | { type: 'answer-started'; messageId: string; threadId: string }
  | { type: 'step-started' }
  | { type: 'tool-called'; callId: string; toolName: string; input: { [key: string]: JsonValue } }
  | { type: 'tool-returned'; callId: string; output: JsonValue }
  | { type: 'tool-failed'; callId: string; message: string }
  /** A section that the answer rests on, or a page that it links to. */
  | { type: 'source-cited'; sourceId: string; url: string; title: string; passage?: CitedPassage }
  /** `id` is unique in the answer. */
  | { type: 'sentence-cited'; id: string; citation: Citation }
  | { type: 'reasoning-started'; id: string }
  | { type: 'reasoning-delta'; id: string; text: string }
  | { type: 'reasoning-ended'; id: string }
  /**
   * `isAnswer: false` if the model declares from the start that it has no answer: links in the text are then not
   * sources.
   */
  | { type: 'text-started'; id: string; isAnswer?: false }
  | { type: 'text-delta'; id: string; text: string }
  | { type: 'text-ended'; id: string }
  /** Another model took over in the middle of a step. Only for clients that accept it. */
  | { type: 'step-restarted' }
  | { type: 'pages-suggested'; items: SuggestedPage[] }
  | { type: 'step-finished'; finishReason: FinishReason; usage: TokenUsage }
  | {
      type: 'answer-finished'
      threadId: string
      finishReason: FinishReason
      usage: TokenUsage
      metadata: AnswerMetadata
    }
  /** `retryAfterMs` is set if the model's provider asks for a wait. */
  | { type: 'answer-failed'; message: string; retryAfterMs?: number }

/**
 * Receives the events of an answer, in order.
 *
 * A callback rather than an async iterator, because each generator that an event passes through costs more than
 * encoding the event. A returned promise means that the reader is slow: await it before the next event. It always
 * resolves.
 */
export type EmitAnswerEvent<Event = AnswerEvent> = (event: Event) => Promise<void> | undefined

/** Sent as `messageMetadata` together with the thread id. Fields are only ever added. */
export type AnswerMetadata = { [key: string]: JsonValue }
