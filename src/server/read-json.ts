import type { MiddlewareHandler } from 'hono/types'
import { AppError, type ErrorDetail } from '../contract/app-error.ts'
import type { AppContext, AppEnv } from './app-env.ts'

/** A conversation of forty long turns with tool results is below this. */
export const messageBytesMax = 4 * 1024 * 1024
/** A prompt with twenty pieces of context, in any script. */
export const jobBytesMax = 2 * 1024 * 1024
export const requestBytesMax = 256 * 1024

/** Refuses what is no JSON or too large before any handler looks at it. A request without a body needs no type. */
export function requireJsonBody(bytesMax: number): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const length = c.req.header('content-length')
    const isChunked = c.req.header('transfer-encoding') !== undefined
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || (!isChunked && Number(length ?? 0) === 0)) return next()
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
      throw new AppError(
        'unsupported_media_type',
        'Send the body as JSON, with the header "Content-Type: application/json".',
      )
    }
    if (Number(length ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
    // Where the length is not announced, the body is read here and kept for whoever asks the request for it.
    if (isChunked) c.req.bodyCache.text = await readBounded(c.req.raw.body, bytesMax)
    return next()
  }
}

/** @throws {AppError} `body_too_large`. */
export async function readBounded(body: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw bodyTooLarge(bytesMax)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function bodyTooLarge(bytesMax: number): AppError {
  return new AppError('body_too_large', `The body is larger than ${bytesMax / 1024} KiB. Send less.`)
}

/** @throws {AppError} `invalid_json`. */
export async function readJson(c: AppContext): Promise<unknown> {
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('invalid_json', 'The body is not valid JSON. Check its quotes, commas and brackets.', {
      cause: error,
    })
  }
}

export function invalidRequest(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const at = first === undefined ? '' : ` ${first.path === '' ? 'the body' : first.path}: ${first.message}`
  return new AppError('invalid_request', `The request is not valid:${at}`, { details })
}
