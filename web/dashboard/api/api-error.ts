import type { ErrorBody } from '../../../src/contract/error-body.ts'
import { language } from '../../words/language.ts'
import { say, sayError } from '../../words/say.ts'

/** An error reply of the service. Its sentence is English. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** Errors by field. */
  readonly details: readonly { path: string; message: string }[]

  constructor(status: number, body: Partial<ErrorBody>) {
    super(
      typeof body.error === 'string'
        ? body.error
        : say('The service answered with status {status}. Try again in a moment.', { status }),
    )
    this.status = status
    this.code = body.code ?? 'internal_error'
    this.requestId = body.requestId ?? null
    this.details = body.details ?? []
  }
}

/** No reply: the service or the network is down. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super(say('Docent is not responding. Check your network connection; the page recovers automatically.'), { cause })
  }
}

/** A sentence for users, whatever was thrown. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) {
    const words = sayError(error.code)
    if (words === null) return error.message
    // The service's own sentence says more, such as which name is taken.
    return `${words.meaning} ${say('The service says: “{sentence}”', { sentence: error.message })}`
  }
  if (error instanceof UnreachableError) return error.message
  return say(
    'Something went wrong on this page. Reload it; if the problem persists, contact the owner of this service.',
  )
}

/** The error of one field as a sentence, or null. */
export function describeFieldError(error: unknown, label: string, path: string): string | null {
  if (!(error instanceof ApiError)) return null
  const detail = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  if (detail === undefined) return null
  if (language !== 'en') return `${label}: ${detail.message}`
  // Most messages are predicates of the field; others are whole sentences.
  const sentence = /^[a-z]/.test(detail.message) ? `${label} ${detail.message}` : detail.message
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
