import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ResolvedAddress } from './address-book.ts'

export interface PinnedRequest {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | null
  /** What is dialled, under the name that the address has: certificate and `Host` stay those of the name. */
  address: ResolvedAddress
  signal: AbortSignal
}

const headerBytesMax = 32 * 1024

/**
 * Sends a request to the address that was judged, and follows nothing.
 *
 * @returns The reply with its body unread. Destroy it when it is not read to its end.
 */
export function sendPinnedRequest(input: PinnedRequest): Promise<IncomingMessage> {
  const { url, method, headers, address, signal } = input
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method,
      signal,
      // No proxy of the environment and no kept socket comes between: each request dials what was judged.
      agent: false,
      maxHeaderSize: headerBytesMax,
      headers,
      lookup: (_host, options, answer) => {
        if (options.all === true) answer(null, [address])
        else answer(null, address.address, address.family)
      },
    })
    request.once('response', resolve)
    // Stays after the reply has come: an error of the socket without a listener would end the process.
    request.on('error', reject)
    request.end(input.body ?? undefined)
  })
}
