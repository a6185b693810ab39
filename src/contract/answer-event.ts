import type { JsonValue } from './json.ts'

/** Tokens of a model call or of a whole answer. */
export interface TokenUsage {
  inputTokens: number
  outputTokens: number
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/**
 * What happens while a question is answered, in the one language that is spoken inside. Two encoders at the edge turn
 * it into the wire formats of the AI SDK 4 and of the AI SDK 5 to 7.
 *
 * Order: `answer-started` comes first; everything else but the last event lies between a `step-started` and its
 * `step-finished`; text and reasoning parts do not overlap within a step; a `tool-returned` or `tool-failed` follows
 * its `tool-called`. The last event is exactly one of `answer-finished` and `answer-failed`.
 */
export type AnswerEvent =
  | { type: 'answer-started'; messageId: string; threadId: string }
  | { type: 'step-started' }
  | { type: 'tool-called'; callId: string; toolName: string; input: { [key: string]: JsonValue } }
  | { type: 'tool-returned'; callId: string; output: JsonValue }
  | { type: 'tool-failed'; callId: string; message: string }
  | { type: 'source-cited'; sourceId: string; url: string; title: string }
  | { type: 'reasoning-started'; id: string }
  | { type: 'reasoning-delta'; id: string; text: string }
  | { type: 'reasoning-ended'; id: string }
  /** `isAnswer: false` where the model says from the start that it has none: what the text links is no source of it. */
  | { type: 'text-started'; id: string; isAnswer?: false }
  | { type: 'text-delta'; id: string; text: string }
  | { type: 'text-ended'; id: string }
  | { type: 'step-finished'; finishReason: FinishReason; usage: TokenUsage }
  | {
      type: 'answer-finished'
      threadId: string
      finishReason: FinishReason
      usage: TokenUsage
      metadata: AnswerMetadata
    }
  | { type: 'answer-failed'; message: string }

/**
 * Takes the events of an answer, in order.
 *
 * A callback and not an async iterator, because every generator that an event passes through costs more than encoding
 * it does. A promise means that the reader does not keep up: wait for it before the next event; it always resolves.
 */
export type EmitAnswerEvent<Event = AnswerEvent> = (event: Event) => Promise<void> | undefined

/** Sent as `messageMetadata` with the thread id; every field beyond it is additive. */
export type AnswerMetadata = { [key: string]: JsonValue }
