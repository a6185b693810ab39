import type { ErrorBody } from '../../../src/contract/error-body.ts'

/** What the service answered instead of what was asked for: its sentence, which is shown as it is. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  /** What is wrong with which field of what was sent. */
  readonly details: readonly { path: string; message: string }[]

  constructor(status: number, body: Partial<ErrorBody>) {
    super(
      typeof body.error === 'string'
        ? body.error
        : `The service answered with status ${status}. Try again in a moment.`,
    )
    this.status = status
    this.code = body.code ?? 'internal_error'
    this.requestId = body.requestId ?? null
    this.details = body.details ?? []
  }
}

/** No answer at all: the service is not running, or the network is not there. */
export class UnreachableError extends Error {
  constructor(cause: unknown) {
    super('Docent does not answer. Check the network; the page goes on by itself once it does.', { cause })
  }
}

/** A sentence for people, whatever was thrown. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError || error instanceof UnreachableError) return error.message
  return 'Something went wrong on this page. Load it again; if it stays, tell the owner of this service.'
}

/** What is wrong with one field of what was sent, as a sentence. */
export function describeFieldError(error: unknown, label: string, path: string): string | null {
  if (!(error instanceof ApiError)) return null
  const detail = error.details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  if (detail === undefined) return null
  // Most say what the value is or holds; others are whole sentences.
  const sentence = /^[a-z]/.test(detail.message) ? `${label} ${detail.message}` : detail.message
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
