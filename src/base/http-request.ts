import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { ResolvedAddress } from './address-book.ts'

export interface HttpRequest {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | null
  /** The address to dial for the host name, which was already checked. TLS and `Host` still use the name. */
  address?: ResolvedAddress
  signal: AbortSignal
}

const headerBytesMax = 32 * 1024

/**
 * Sends a request. Follows no redirects.
 *
 * @returns The response with its body unread. Destroy it unless you read it to the end.
 */
export function sendHttpRequest(input: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers, address, signal } = input
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options = { method, signal, maxHeaderSize: headerBytesMax, headers }
    const request = send(url, address === undefined ? options : { ...options, ...dialOnly(address) })
    request.once('response', resolve)
    // Stays registered after the response: a socket error without a listener would end the process.
    request.on('error', reject)
    request.end(input.body ?? undefined)
  })
}

/** Bypasses proxies from the environment and pooled sockets: each request dials the checked address. */
function dialOnly(address: ResolvedAddress): Pick<RequestOptions, 'agent' | 'lookup'> {
  return {
    agent: false,
    lookup: (_host, options, answer) => {
      if (options.all === true) answer(null, [address])
      else answer(null, address.address, address.family)
    },
  }
}
