import type { MiddlewareHandler } from 'hono/types'
import { AppError, type ErrorDetail } from '../contract/app-error.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import { jsonExpected } from './error-response.ts'

/** A conversation of forty long turns with tool results is below this. */
export const messageBytesMax = 4 * 1024 * 1024
/** A prompt with twenty pieces of context, in any script. */
export const jobBytesMax = 2 * 1024 * 1024
export const requestBytesMax = 256 * 1024

/** Bodies below this are read when they are asked for: the bound of connections bounds them. */
const smallBytesMax = 64 * 1024

/** Large bodies that are held at the same time, all requests together. */
const heldBytesMax = 256 * 1024 * 1024

/** Bounds the memory of what many requests hold at once. */
export class ByteBudget {
  readonly #bytesMax: number
  #held = 0

  constructor(bytesMax: number = heldBytesMax) {
    this.#bytesMax = bytesMax
  }

  /** Opens an account of one request. Closing it gives back what it took. */
  open(): { take(bytes: number): void; close(): void } {
    let taken = 0
    return {
      /** @throws {AppError} `overloaded` when all accounts together would hold too much. */
      take: (bytes) => {
        if (this.#held + bytes > this.#bytesMax) throw bodiesFull()
        this.#held += bytes
        taken += bytes
      },
      close: () => {
        this.#held -= taken
        taken = 0
      },
    }
  }
}

/** A client that goes, or is too slow, before its body is whole. Its connection's code would else pass for the database's. */
function cutBody(cause: unknown): never {
  if (cause instanceof AppError) throw cause
  throw new AppError('invalid_request', 'The body ended before it was whole. Send it again.', { cause })
}

const processBudget = new ByteBudget()

function bodiesFull(): AppError {
  return new AppError('overloaded', 'Too many large requests are under way. Try again in 5 seconds.', {
    headers: { 'Retry-After': '5' },
  })
}

/** Refuses what is no JSON or too large before any handler looks at it. A request without a body needs no type. */
export function requireJsonBody(bytesMax: number, budget: ByteBudget = processBudget): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const length = c.req.header('content-length')
    const isChunked = c.req.header('transfer-encoding') !== undefined
    if (c.req.method === 'GET' || c.req.method === 'HEAD' || (!isChunked && Number(length ?? 0) === 0)) return next()
    if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
      throw jsonExpected()
    }
    if (Number(length ?? 0) > bytesMax) throw bodyTooLarge(bytesMax)
    if (!isChunked && Number(length) <= smallBytesMax) return next()
    // Read here and kept for whoever asks the request for it: counted as it comes, because who announces much may send nothing.
    const held = budget.open()
    try {
      const text = await readBounded(c.req.raw.body, bytesMax, (bytes) => held.take(bytes)).catch(cutBody)
      // The framework keeps promises there, whatever its type says.
      c.req.bodyCache.text = Promise.resolve(text) as unknown as string
      return await next()
    } finally {
      held.close()
    }
  }
}

/** @param take Told of the bytes of each piece. @throws {AppError} `body_too_large`, and what `take` throws. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  take: (bytes: number) => void = () => {},
): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw bodyTooLarge(bytesMax)
    take(chunk.length)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function bodyTooLarge(bytesMax: number): AppError {
  return new AppError('body_too_large', `The body is larger than ${bytesMax / 1024} KiB. Send less.`)
}

/** @throws {AppError} `invalid_json`. */
export async function readJson(c: AppContext): Promise<unknown> {
  const text = await c.req.text().catch(cutBody)
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
