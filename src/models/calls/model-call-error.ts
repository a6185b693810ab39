import { AddressRefusedError } from '../../base/address-book.ts'
import { RedirectRefusedError } from '../../base/bind-to-origin.ts'

/**
 * What went wrong with a call of a model.
 *
 * `address`: not called, because its address is not public or redirects elsewhere. `ceiling`: not called, because it
 * could exceed the spending limit. `key`: the provider rejected the credentials. `quota`: paid or free use is exhausted,
 * so waiting does not help. `tools`: the model cannot call tools. `refused`: the provider refused the call.
 * `oversized`: its reply exceeded the limits of `boundReply`. `broken`: the reply was unreadable or broke off.
 */
export type ModelFault =
  | 'address'
  | 'key'
  | 'unknown-model'
  | 'rate-limit'
  | 'quota'
  | 'ceiling'
  | 'overloaded'
  | 'unreachable'
  | 'timeout'
  | 'too-long'
  | 'tools'
  | 'refused'
  | 'oversized'
  | 'broken'

export interface ModelCallErrorInput {
  fault: ModelFault
  /** `provider/model`. */
  modelId: string
  /** What the provider said, truncated and without keys. */
  message: string
  statusCode?: number | null
  retryAfterMs?: number | null
}

/**
 * A failed model call. It carries what an operator needs and nothing that was sent: the errors of provider packages
 * contain the whole prompt, which must not reach the log.
 */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError'
  readonly fault: ModelFault
  readonly modelId: string
  /** Null if there was no reply. */
  readonly statusCode: number | null
  /** How long the provider asks to wait, or null. */
  readonly retryAfterMs: number | null

  constructor(input: ModelCallErrorInput) {
    super(input.message)
    this.fault = input.fault
    this.modelId = input.modelId
    this.statusCode = input.statusCode ?? null
    this.retryAfterMs = input.retryAfterMs ?? null
  }
}

/** Fields that errors of provider packages may have; each is checked before use. */
interface ErrorFields {
  message?: unknown
  statusCode?: unknown
  responseHeaders?: unknown
  responseBody?: unknown
  code?: unknown
  type?: unknown
  status?: unknown
  cause?: unknown
}

const messageCharsMax = 300

/**
 * Reads what a provider package threw or streamed as an error.
 *
 * @param nowMs For a `Retry-After` that is a date.
 */
export function readModelCallError(error: unknown, modelId: string, nowMs: number): ModelCallError {
  if (error instanceof ModelCallError) return error
  if (error instanceof AddressRefusedError || error instanceof RedirectRefusedError) {
    return new ModelCallError({ fault: 'address', modelId, message: error.message })
  }
  const fields: ErrorFields = typeof error === 'object' && error !== null ? error : { message: error }
  const body = typeof fields.responseBody === 'string' ? fields.responseBody : ''
  const said = typeof fields.message === 'string' && fields.message !== '' ? fields.message : 'no message'
  const statusCode = readStatus(fields)
  // Packages wrap what fails while they read.
  const [excess] = oversized.exec(`${said} ${fields.cause instanceof Error ? fields.cause.message : ''}`) ?? []
  if (excess !== undefined) return new ModelCallError({ fault: 'oversized', modelId, message: `${excess}.` })
  const words = `${said} ${textOf(fields.code)} ${textOf(fields.type)} ${textOf(fields.status)} ${body}`
  return new ModelCallError({
    fault: findFault(statusCode, words, fields),
    modelId,
    message: hideKeys(said).slice(0, messageCharsMax),
    statusCode,
    retryAfterMs: readRetryAfter(fields.responseHeaders, body, nowMs),
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Some gateways put the status into `code` of an error in the stream. */
function readStatus({ statusCode, code }: ErrorFields): number | null {
  for (const value of [statusCode, code]) {
    if (typeof value === 'number' && value >= 400 && value <= 599) return value
  }
  return null
}

/** See `boundReply`. The same call would have the same reply, and be paid again. */
const oversized = /The provider sent (?:a reply|an event) of more than \d+ bytes/
const toolsRefused =
  /(?:not|n't|no endpoints\b.{0,40}) support\b.{0,40}\b(?:tool|function)|\b(?:tool|function)\b.{0,40}\b(?:not supported|unsupported|not enabled|disabled)|tool-call-parser/i
const quotaSpent =
  /insufficient_quota|exceeded your current quota, please check your plan and billing|credit balance is too low/i
/** Includes how Google's library reports credentials that it could not exchange for a token. */
const keyRefused = /api key not valid|invalid_api_key|invalid_grant|could not load the default credentials/i
const tooLong =
  /context_length_exceeded|context (?:length|window)|prompt is too long|input token count|too many tokens/i
const rateLimited = /rate.?limit|too many requests|resource.?exhausted/i
const overloaded = /overloaded|server_error|api_error|internal|unavailable|bad gateway|timed? ?out/i

function findFault(statusCode: number | null, words: string, fields: ErrorFields): ModelFault {
  if (statusCode !== null && toolsRefused.test(words)) return 'tools'
  if (quotaSpent.test(words) || statusCode === 402) return 'quota'
  if (statusCode === 429 || (statusCode === null && rateLimited.test(words))) return 'rate-limit'
  if (statusCode === 401 || statusCode === 403 || keyRefused.test(words)) return 'key'
  if (statusCode !== null && statusCode >= 500) return 'overloaded'
  if (statusCode === 408) return 'overloaded'
  if (statusCode === 413 || tooLong.test(words)) return 'too-long'
  if (statusCode === 404) return 'unknown-model'
  if (statusCode !== null && statusCode >= 400) return 'refused'
  if (isConnectionError(fields)) return 'unreachable'
  return overloaded.test(words) ? 'overloaded' : 'broken'
}

function isConnectionError({ message, cause }: ErrorFields): boolean {
  if (typeof message === 'string' && /^cannot connect|fetch failed|^terminated|socket|network/i.test(message))
    return true
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null
  return typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_.+)$/.test(code)
}

/** Providers quote the rejected key, in parts or whole. */
function hideKeys(text: string): string {
  return text.replaceAll(/\b(?:sk-|AIza|key-|Bearer\s+)[\w*.-]{4,}/g, '(hidden)')
}

function readRetryAfter(headers: unknown, body: string, nowMs: number): number | null {
  const read = (name: string): string | null => {
    const value = typeof headers === 'object' && headers !== null ? Object.entries(headers) : []
    const found: unknown = value.find(([key]) => key.toLowerCase() === name)?.[1]
    return typeof found === 'string' && found !== '' ? found : null
  }
  const milliseconds = read('retry-after-ms')
  if (milliseconds !== null && Number.isFinite(Number(milliseconds))) return Math.max(0, Number(milliseconds))
  const after = read('retry-after')
  if (after !== null) return parseRetryAfter(after, nowMs)
  // Google reports it in the body.
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay === undefined ? null : Math.ceil(Number(delay) * 1_000)
}

function parseRetryAfter(value: string, nowMs: number): number | null {
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs)
}
