import type { SendInit } from '../../../src/client/create-client.ts'
import { ApiError, UnreachableError } from './api-error.ts'
import { setReachable } from './connection.ts'

const timeLimitMsDefault = 60_000

let formToken: string | null = null

/** Sets the session's CSRF token, which every mutating request carries. */
export function setFormToken(token: string | null): void {
  formToken = token
}

/**
 * Sends a request in the browser's session and records whether the service replied.
 *
 * @param path Path of an operation. `timeLimitMs` defaults to a minute; use Infinity for streams.
 * @throws {ApiError} if the service refuses. @throws {UnreachableError} if it does not reply.
 */
export async function send(path: string, { timeLimitMs = timeLimitMsDefault, ...init }: SendInit): Promise<Response> {
  const signals = [init.signal ?? [], Number.isFinite(timeLimitMs) ? AbortSignal.timeout(timeLimitMs) : []].flat()
  const token = init.method === 'GET' || formToken === null ? {} : { 'x-docent-form-token': formToken }
  const response = await reach(path, {
    ...init,
    headers: { ...init.headers, ...token },
    signal: AbortSignal.any(signals),
  })
  if (response.ok) return response
  // A proxy may reply with a page of its own.
  throw new ApiError(response.status, await response.json().catch(() => ({})))
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, init)
    setReachable(true)
    return response
  } catch (error) {
    // Cancelled by the page itself.
    if (init.signal?.aborted === true && !isTimeout(init.signal.reason)) throw error
    setReachable(false)
    throw new UnreachableError(error)
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}
