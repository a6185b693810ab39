import { ApiError, UnreachableError } from './api-error.ts'
import { setReachable } from './connection.ts'

/** A page of a list. */
export interface ListPage<Item> {
  items: Item[]
  nextCursor: string | null
}

/** How long an answer may take. Streams have no such end. */
const answerTimeLimitMs = 60_000

let formToken: string | null = null

/** Given with the session, and sent with everything that changes something. */
export function setFormToken(token: string | null): void {
  formToken = token
}

/**
 * Asks the service, in the session of the browser.
 *
 * What comes back is of the shape that the contract gives it: the service parses what it sends, and page and service are
 * one version, so that it is not parsed once more here.
 *
 * @throws {ApiError} with the sentence of the service. @throws {UnreachableError} without an answer.
 */
export async function request<Reply>(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
  timeLimitMs = answerTimeLimitMs,
): Promise<Reply> {
  const timeLimit = AbortSignal.timeout(timeLimitMs)
  const response = await send(path, {
    method,
    headers: requestHeaders(method),
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    signal: signal === undefined ? timeLimit : AbortSignal.any([signal, timeLimit]),
  })
  return readReply<Reply>(response)
}

/** @throws {ApiError} with the sentence of the service. */
export async function readReply<Reply>(response: Response): Promise<Reply> {
  // A proxy in between may answer with a page of its own.
  const reply: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new ApiError(response.status, reply ?? {})
  return reply as Reply // See `request`.
}

/** What a request carries besides its body. */
export function requestHeaders(method: string): Record<string, string> {
  if (method === 'GET') return {}
  return {
    'content-type': 'application/json',
    ...(formToken === null ? {} : { 'x-docent-form-token': formToken }),
  }
}

/** Notes whether the service answers. @throws {UnreachableError} without an answer. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init)
    setReachable(true)
    return response
  } catch (error) {
    // Given up by the page itself.
    if (init.signal?.aborted === true && !isTimeout(init.signal.reason)) throw error
    setReachable(false)
    throw new UnreachableError(error)
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

/** `path?limit=25&cursor=…`, without what is not given. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
