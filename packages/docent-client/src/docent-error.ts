export interface DocentErrorDetails {
  status: number
  requestId: string | null
  retryAfterSeconds: number | null
}

/** A refused or unanswered request. The message is a sentence for readers. */
export class DocentError extends Error {
  override readonly name = 'DocentError'
  /** For programs, such as `limit_reached`; `unreachable` without a reply. */
  readonly code: string
  /** HTTP status; 0 without a reply. */
  readonly status: number
  readonly requestId: string | null
  /** When to try again, if the service says so. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, code: string, details: Partial<DocentErrorDetails> & { cause?: unknown } = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status ?? 0
    this.requestId = details.requestId ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
  }
}

/** The error that a reply carries. Proxies reply with pages of their own. */
export async function readError(response: Response): Promise<DocentError> {
  const { status, headers } = response
  const body: unknown = await response.json().catch(() => null)
  const message = readText(body, 'error') ?? `The service answered with status ${status}. Try again in a moment.`
  return new DocentError(message, readText(body, 'code') ?? 'unknown', {
    status,
    requestId: readText(body, 'requestId') ?? headers.get('x-request-id'),
    retryAfterSeconds: Number.parseInt(headers.get('retry-after') ?? '', 10) || null,
  })
}

function readText(body: unknown, name: string): string | null {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  return typeof value === 'string' ? value : null
}
