import type { MiddlewareHandler } from 'hono/types'
import { AppError, type ErrorDetail } from '../../contract/app-error.ts'
import { type QuestionFormat, type QuestionFormats, questionReaders } from '../../contract/question-formats.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import type { BodyPlaces } from './body-places.ts'
import { BodyReading, smallBytesMax } from './body-reading.ts'
import type { ByteCollector } from './byte-collector.ts'
import { jsonExpected, readErrorCode } from '../replies/error-response.ts'
import { errorStatus } from '../replies/error-status.ts'
import { invalidJson, parseJson } from './parse-json.ts'
import type { QuestionThread } from './question-thread.ts'

/** Bodies up to this size are parsed synchronously. Larger ones wait for their own turn of the event loop. */
const instantBytesMax = 8 * 1024
/** Questions in larger bodies are read in a thread. */
const questionBytesMax = 256 * 1024

export interface JsonBodyDeps {
  bodyPlaces: BodyPlaces
  questionThread: QuestionThread
  /** Called for each refused request (4xx) with a body over 64 KiB, announced or received. */
  onLargeBodyRefused?(c: AppContext): void
}

/**
 * Reads and parses the body before any handler runs, and refuses bodies that are too large, not JSON, or too expensive
 * to parse. A request without a body needs no content type. If mounted twice for a path, the first one wins.
 *
 * @param format Format of the question in the body, which `takeQuestion` returns.
 */
export function requireJsonBody(
  deps: JsonBodyDeps,
  bytesMax: number,
  format: QuestionFormat | null = null,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!hasBody(c) || c.get('hasJsonBody')) return next()
    c.set('hasJsonBody', true)
    const reading = new BodyReading(c, deps.bodyPlaces, bytesMax)
    const noteRefusal = (error: unknown) => {
      if (reading.bytes > smallBytesMax && errorStatus[readErrorCode(error)] < 500) deps.onLargeBodyRefused?.(c)
    }
    try {
      requireJsonType(c)
      await reading.use((body) => parseBody(c, deps, { body, format }))
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

/** @throws {AppError} `unsupported_media_type`. */
export function requireJsonType(c: AppContext): void {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) throw jsonExpected()
  const encoding = c.req.header('content-encoding') ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new AppError('unsupported_media_type', 'Send the body uncompressed, without the header Content-Encoding.')
}

async function parseBody(
  c: AppContext,
  { bodyPlaces, questionThread }: JsonBodyDeps,
  { body, format }: { body: ByteCollector; format: QuestionFormat | null },
): Promise<void> {
  if (format !== null && body.length > questionBytesMax) {
    c.set('question', await questionThread.read({ format, bytes: body.take() }))
    return
  }
  const parse = () => parseJson(body.bytes)
  keepJson(c, body.length <= instantBytesMax ? parse() : await bodyPlaces.parse(parse))
}

/** Serves `req.json()` to handlers and validators once, so that a long-running stream does not retain the body. */
function keepJson(c: AppContext, value: unknown): void {
  let kept: { value: unknown } | null = { value }
  c.req.json = <T>() => {
    if (kept === null) return Promise.reject(new Error('The body of a request can be read only once.'))
    const { value: given } = kept
    kept = null
    return Promise.resolve(given as T) // As unsafe as the framework's own: callers validate.
  }
}

/** The body, for handlers that validate it themselves. @throws {AppError} `invalid_json` if there is none. */
export async function readJson(c: AppContext): Promise<unknown> {
  try {
    return await c.req.json()
  } catch (error) {
    throw error instanceof SyntaxError ? invalidJson(error) : error
  }
}

/**
 * Reads the body as a question.
 *
 * @param format The operation's `questionFormat`.
 * @throws {AppError} as `readJson` and `readQuestion` do.
 */
export async function takeQuestion<Format extends QuestionFormat>(
  c: AppContext,
  format: Format,
): Promise<QuestionFormats[Format]> {
  const large = c.get('question') as QuestionFormats[Format] | undefined // Read in the operation's format.
  return large ?? questionReaders[format](await readJson(c))
}

export function invalidRequest(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const at = first === undefined ? '' : ` ${first.path === '' ? 'the body' : first.path}: ${first.message}`
  return new AppError('invalid_request', `The request is not valid:${at}`, { details })
}
