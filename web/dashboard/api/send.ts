import type { SendInit } from '../../../src/client/create-client.ts'
import { ApiError, UnreachableError } from './api-error.ts'
import { setReachable } from './connection.ts'

const timeLimitMsDefault = 60_000

let formToken: string | null = null

/** The token of the session, which every request that changes something carries. */
export function setFormToken(token: string | null): void {
  formToken = token
}

/**
 * Sends a request in the session of the browser and notes whether the service answers.
 *
 * @param path Of an operation; `timeLimitMs` is a minute unless given, and infinite for streams.
 * @throws {ApiError} when the service refuses. @throws {UnreachableError} when it does not answer.
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
  // A proxy in between may answer with a page of its own.
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
