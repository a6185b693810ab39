import type { IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AddressBook, AddressRefusedError, resolveBySystem, type ResolveHost } from './address-book.ts'
import { sendPinnedRequest } from './pinned-request.ts'
import { isPlainAddress } from './plain-address.ts'

export interface GuardedFetchOptions {
  /** Whether this machine, private networks and ports other than 80 and 443 may be reached. */
  allowsPrivateAddresses: boolean
  /** The system's resolver unless given. */
  resolve?: ResolveHost
}

/**
 * A `fetch` for addresses that others chose: the host is looked up once and dialled at the address that was judged, so
 * that no name server can change its mind in between. A redirect is returned as it is, whatever `redirect` says,
 * because where it leads has not been judged. Give each call a signal: there is no time limit of its own.
 *
 * Rejects with `AddressRefusedError` for what may not be reached, with the reason of the signal when that aborts, and
 * with the system's own error for every other failure.
 */
export function createGuardedFetch({ allowsPrivateAddresses, resolve }: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    // The signal is taken from the caller, because that of a request which nobody holds may never abort.
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

/** A look-up cannot be stopped, only left behind. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error) // A signal's reason is what its owner throws.
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

/** Unpacks gzip, which is all that was asked for, and takes away the headers that speak of the packed form. */
function readBody(reply: IncomingMessage, headers: Headers): ReadableStream<Uint8Array> {
  const isPacked = /^(?:x-)?gzip$/i.test(headers.get('content-encoding') ?? '')
  if (isPacked) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  // Errors of either stream end the unpacked one, which is where they are told.
  const body = isPacked ? pipeline(reply, createGunzip(), () => {}) : reply
  // Node's type of a web stream and the one that a response takes differ in name only.
  return Readable.toWeb(body) as ReadableStream<Uint8Array>
}
