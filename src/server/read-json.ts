import { bodyLimit } from 'hono/body-limit'
import type { MiddlewareHandler } from 'hono/types'
import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../contract/app-error.ts'
import type { AppContext, AppEnv } from './app-env.ts'

/** A conversation of forty long turns with tool results is below this. */
export const messageBytesMax = 4 * 1024 * 1024
export const requestBytesMax = 256 * 1024

/** Refuses what is no JSON or too large before any handler looks at it. GET and HEAD carry no body. */
export function requireJsonBody(bytesMax: number): MiddlewareHandler<AppEnv> {
  const limitBody = bodyLimit({
    maxSize: bytesMax,
    onError: () => {
      throw bodyTooLarge(bytesMax)
    },
  })
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
      throw new AppError(
        'unsupported_media_type',
        'Send the body as JSON, with the header "Content-Type: application/json".',
      )
    }
    const length = c.req.header('content-length')
    // The library turns the body into a web stream first, which costs more than the rest of a small request.
    if (length === undefined || c.req.header('transfer-encoding') !== undefined) return limitBody(c, next)
    if (Number(length) > bytesMax) throw bodyTooLarge(bytesMax)
    return next()
  }
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

/** Parses something from outside. @throws {AppError} `invalid_request` with a detail for every fault. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidRequest(parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })))
}

export function invalidRequest(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const at = first === undefined ? '' : ` ${first.path === '' ? 'the body' : first.path}: ${first.message}`
  return new AppError('invalid_request', `The request is not valid:${at}`, { details })
}
