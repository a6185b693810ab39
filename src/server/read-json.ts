import type { MiddlewareHandler } from 'hono/types'
import { AppError, type ErrorDetail } from '../contract/app-error.ts'
import { rejectOnAbort } from '../models/run-tool.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import type { BodyPlace, BodyPlaces } from './body-places.ts'
import { ByteCollector } from './byte-collector.ts'
import { jsonExpected, readErrorCode } from './error-response.ts'
import { errorStatus } from './error-status.ts'
import { JsonScanner } from './json-scanner.ts'

/** Clients of the assistant send their whole history, with the results of tools. */
export const messageBytesMax = 4 * 1024 * 1024
/** A prompt with twenty pieces of context, in any script. */
export const jobBytesMax = 2 * 1024 * 1024
/** The prompt of an automation, the text of a pull request, or the groups of a key, in any script. */
export const longTextBytesMax = 256 * 1024
export const requestBytesMax = 64 * 1024

/** Bodies up to this size are read at once: the bound of connections bounds them. Larger ones need a place. */
const smallBytesMax = 64 * 1024
/** Bodies up to this size are parsed at once. Larger ones wait for a turn of the event loop of their own. */
const instantBytesMax = 8 * 1024

export interface JsonBodyParts {
  bodyPlaces: BodyPlaces
  /** Told of each request that is refused (4xx) with a body over 64 KiB, announced or received. */
  onLargeBodyRefused?(c: AppContext): void
}

/**
 * Reads and parses the body before any handler runs, and refuses one that is too large, not JSON, or too expensive to
 * parse. A request without a body needs no content type. Where it is used twice for a path, the first one counts.
 */
export function requireJsonBody(parts: JsonBodyParts, bytesMax: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!hasBody(c) || c.get('hasJsonBody') === true) return next()
    c.set('hasJsonBody', true)
    const reading = new BodyReading(c, parts.bodyPlaces, bytesMax)
    const noteRefusal = (error: unknown) => {
      if (reading.bytes > smallBytesMax && errorStatus[readErrorCode(error)] < 500) parts.onLargeBodyRefused?.(c)
    }
    try {
      keepJson(c, await reading.read())
    } catch (error) {
      noteRefusal(error)
      throw error
    }
    await next()
    if (c.error !== undefined) noteRefusal(c.error)
  }
}

function hasBody(c: AppContext): boolean {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return false
  return c.req.header('transfer-encoding') !== undefined || Number(c.req.header('content-length') ?? 0) > 0
}

/** Handlers and validators ask the request for its JSON. It is given once, so that a stream that runs long holds no body. */
function keepJson(c: AppContext, value: unknown): void {
  let kept: { value: unknown } | null = { value }
  c.req.json = <T>() => {
    if (kept === null) return Promise.reject(new Error('The body of a request is read once.'))
    const { value: given } = kept
    kept = null
    return Promise.resolve(given as T) // As unsafe as the framework's own: callers validate.
  }
}

/** One body on its way in. */
class BodyReading {
  readonly #c: AppContext
  readonly #places: BodyPlaces
  readonly #bytesMax: number
  readonly #scanner = new JsonScanner()
  readonly #collector = new ByteCollector()
  #place: BodyPlace | null = null
  /** Announced or received, whichever is more. */
  bytes: number

  constructor(c: AppContext, places: BodyPlaces, bytesMax: number) {
    this.#c = c
    this.#places = places
    this.#bytesMax = bytesMax
    this.bytes = Number(c.req.header('content-length') ?? 0)
  }

  /** @throws {AppError} */
  async read(): Promise<unknown> {
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(this.#c.req.header('content-type') ?? '')) {
      throw jsonExpected()
    }
    if (this.bytes > this.#bytesMax) throw bodyTooLarge(this.#bytesMax)
    try {
      await this.#collect()
      const isInstant = this.#collector.length <= instantBytesMax
      return isInstant ? this.#parse() : await this.#places.parse(() => this.#parse())
    } finally {
      this.#place?.leave()
    }
  }

  async #collect(): Promise<void> {
    const reader = this.#c.req.raw.body?.getReader()
    if (reader === undefined) return
    for (let read = await this.#next(reader); !read.done; read = await this.#next(reader)) {
      const bytes = this.#collector.length + read.value.length
      this.bytes = Math.max(this.bytes, bytes)
      if (bytes > this.#bytesMax) throw bodyTooLarge(this.#bytesMax)
      if (bytes > smallBytesMax) {
        this.#place ??= await this.#places.enter(this.#c.get('clientAddress'), this.#c.req.raw.signal)
      }
      this.#scanner.push(read.value)
      this.#collector.push(read.value)
    }
  }

  /** A client that goes, or is too slow, before its body is whole would else pass for the database's fault. */
  async #next(reader: ReadableStreamDefaultReader<Uint8Array>) {
    const reading = reader.read().catch((cause: unknown) => {
      const message = 'The body ended before it was whole. Send it again.'
      throw new AppError('invalid_request', message, { cause, details: [{ path: '', message }] })
    })
    return this.#place === null ? reading : rejectOnAbort(reading, this.#place.signal)
  }

  #parse(): unknown {
    const text = new TextDecoder().decode(this.#collector.bytes)
    try {
      return JSON.parse(text)
    } catch (error) {
      throw invalidJson(error)
    }
  }
}

function bodyTooLarge(bytesMax: number): AppError {
  return new AppError('body_too_large', `The body is larger than ${bytesMax / 1024} KiB. Send less.`)
}

function invalidJson(cause: unknown): AppError {
  return new AppError('invalid_json', 'The body is not valid JSON. Check its quotes, commas and brackets.', { cause })
}

/** The body, for handlers that validate it themselves. @throws {AppError} `invalid_json` when there is none. */
export async function readJson(c: AppContext): Promise<unknown> {
  try {
    return await c.req.json()
  } catch (error) {
    throw error instanceof SyntaxError ? invalidJson(error) : error
  }
}

export function invalidRequest(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const at = first === undefined ? '' : ` ${first.path === '' ? 'the body' : first.path}: ${first.message}`
  return new AppError('invalid_request', `The request is not valid:${at}`, { details })
}
