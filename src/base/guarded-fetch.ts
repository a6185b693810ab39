import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AddressBook, AddressRefusedError, resolveBySystem, type ResolveHost } from './address-book.ts'
import { sendPinnedRequest } from './pinned-request.ts'
import { isPlainAddress } from './plain-address.ts'

export interface GuardedFetchOptions {
  /** Whether this machine, private networks and ports other than 80 and 443 are allowed. */
  allowsPrivateAddresses: boolean
  /** Default: the system's resolver. */
  resolve?: ResolveHost
}

/**
 * A `fetch` for addresses chosen by others. The host is resolved once, checked, and dialled at the checked address, so that
 * a name server cannot change its answer in between. Redirects are returned, never followed, whatever `redirect` says:
 * their targets are unchecked. Pass a signal to every call: there is no built-in time limit.
 *
 * Rejects with `AddressRefusedError` for forbidden addresses, with the signal's reason when it aborts, and with the
 * system's own error otherwise.
 */
export function createGuardedFetch({ allowsPrivateAddresses, resolve }: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    // Use the caller's signal: that of a request nobody holds may be garbage-collected and never abort.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : new AbortController().signal)
    const request = new Request(input, { ...init, signal: null })
    const url = new URL(request.url)
    if (!isPlainAddress(url, allowsPrivateAddresses)) throw new AddressRefusedError(url.host)
    signal.throwIfAborted()
    const addresses = new AddressBook(resolve ?? resolveBySystem, allowsPrivateAddresses)
    const address = await untilAborted(addresses.find(url.hostname), signal)
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    const { method } = request
    const headers = { 'user-agent': 'node', 'accept-encoding': 'gzip', ...Object.fromEntries(request.headers) }
    const sized = body === null ? headers : { ...headers, 'content-length': String(body.byteLength) }
    const reply = await sendPinnedRequest({ url, method, headers: sized, body, address, signal }).catch((error) => {
      throw signal.aborted ? signal.reason : error
    })
    return toResponse(reply, url, method)
  }
}

/** A DNS lookup cannot be cancelled, only abandoned. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error) // The owner of a signal chooses the reason.
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function toResponse(reply: IncomingMessage, url: URL, method: string): Response {
  const status = reply.statusCode ?? 0
  const headers = new Headers()
  for (const [name, values] of Object.entries(reply.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(status)
  if (!hasBody) reply.resume()
  const response = new Response(hasBody ? readBody(reply, headers) : null, {
    status,
    statusText: reply.statusMessage ?? '',
    headers,
  })
  Object.defineProperty(response, 'url', { value: url.href })
  return response
}

/** Decompresses gzip, the only encoding that was requested, and drops the headers that describe the compressed body. */
function readBody(reply: IncomingMessage, headers: Headers): ReadableStream<Uint8Array> {
  const isPacked = /^(?:x-)?gzip$/i.test(headers.get('content-encoding') ?? '')
  if (isPacked) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  // Errors of either stream surface in the decompressed one.
  const body = isPacked ? pipeline(reply, createGunzip(), () => {}) : reply
  // Node's web stream type and the one `Response` expects differ only in name.
  return Readable.toWeb(body) as ReadableStream<Uint8Array>
}
