import { ModelCallError, type ModelFault, readModelCallError } from '../calls/model-call-error.ts'

/**
 * The model could not be called, or its answer broke off. The message is for readers; the cause is for the log and may
 * contain what the provider sent.
 */
export class ModelFailureError extends Error {
  override readonly name = 'ModelFailureError'
  /** Whether a part of the answer was already sent when it failed. */
  readonly isPartial: boolean

  constructor(message: string, options: { cause: unknown; isPartial: boolean }) {
    super(message, { cause: options.cause })
    this.isPartial = options.isPartial
  }

  /** How long the provider asks to wait, or null. */
  get retryAfterMs(): number | null {
    return readWait(this.cause)
  }
}

function readWait(cause: unknown): number | null {
  return cause instanceof ModelCallError ? cause.retryAfterMs : null
}

export function toModelFailure(cause: unknown, isPartial: boolean): ModelFailureError {
  return new ModelFailureError(isPartial ? brokeOff : describeModelFailure(cause), { cause, isPartial })
}

const brokeOff = 'The answer broke off because the model failed. Ask again.'
const failed =
  'The model could not be reached or failed. Ask again in a minute; tell the operator if the problem persists.'

/** What went wrong, for readers, without anything that was sent. */
export function describeModelFailure(cause: unknown): string {
  // Neither the name of the model nor the time is needed to classify the fault.
  const sentence = sentences[readModelCallError(cause, '', 0).fault] ?? failed
  return sentence.replace('in a minute', describeWait(readWait(cause) ?? 0))
}

/** As the provider says, and never shorter. */
function describeWait(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000)
  const hours = Math.ceil(minutes / 60)
  if (minutes <= 1) return 'in a minute'
  if (minutes < 90) return `in ${minutes} minutes`
  return hours < 48 ? `in ${hours} hours` : `in ${Math.ceil(hours / 24)} days`
}

/** Sentences for readers. */
const sentences: Partial<Record<ModelFault, string>> = {
  timeout: 'The model took too long to answer. Ask again in a minute; tell the operator if the problem persists.',
  quota: 'The model quota of this service is used up. Tell its operator.',
  ceiling: 'The next model call could exceed the spending limit.',
  'rate-limit': 'The model is receiving too many requests. Ask again in a minute.',
  'too-long': 'This conversation is too long for the model. Start a new one, or ask a shorter question.',
  'unknown-model': 'The provider does not know the model of this service. Tell its operator.',
  key: 'The model refused the key of this service. Tell its operator.',
}
