import type { AnswerEvent } from '../../contract/answer-event.ts'
import { AppError } from '../../contract/app-error.ts'

export type AnswerFailure = Omit<Extract<AnswerEvent, { type: 'answer-failed' }>, 'type'>

/** The refusal for clients that read no stream, with the wait that the model's provider asks for. */
export function answerFailed({ message, retryAfterMs }: AnswerFailure): AppError {
  const wait = retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1_000)) }
  // The model's call was already repeated where that may help. OpenAI's packages would otherwise ask twice more.
  return new AppError('answer_failed', message, { headers: { 'X-Should-Retry': 'false', ...wait } })
}
