import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { AddressBook, ResolvedAddress } from '../base/address-book.ts'
import { sendHttpRequest } from '../base/http-request.ts'
import { readBodyStart } from '../base/body-start.ts'
import { ReplyTooLargeError, unpackBytes } from './unpack-bytes.ts'

export interface FetchInput {
  url: URL
  userAgent: string
  addresses: AddressBook
  /** Most bytes of the body, compressed and decompressed. */
  bytesMax: number
  /** Conditional request headers. */
  validators?: Readonly<Record<string, string>>
  timeoutMs: number
  signal: AbortSignal
}

export interface FetchedAddress {
  status: number
  headers: IncomingHttpHeaders
  body: Uint8Array
}

/**
 * Fetches one address without following redirects. Dials the address that was checked, under the host's own name, and
 * decompresses here, so that the size of a decompressed body is bounded too.
 *
 * @throws {AddressRefusedError} if the host may not be reached.
 * @throws {ReplyTooLargeError}
 * @throws {Error} for every other network failure and on timeout.
 */
export async function fetchAddress(input: FetchInput): Promise<FetchedAddress> {
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(input.timeoutMs)])
  const address = await input.addresses.find(input.url.hostname)
  const reply = await sendRequest(input, address, signal)
  try {
    const body = await readBody(reply, input.bytesMax)
    return { status: reply.statusCode ?? 0, headers: reply.headers, body }
  } finally {
    reply.destroy()
  }
}

function sendRequest({ url, userAgent, validators }: FetchInput, address: ResolvedAddress, signal: AbortSignal) {
  const headers = {
    'user-agent': userAgent,
    accept: 'text/html,text/markdown;q=0.9,text/plain;q=0.8,application/xml;q=0.8',
    'accept-encoding': 'gzip, deflate, br',
    ...validators,
  }
  return sendHttpRequest({ url, method: 'GET', headers, address, signal })
}

async function readBody(reply: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  if (Number(reply.headers['content-length'] ?? 0) > bytesMax) throw new ReplyTooLargeError()
  // Aborting the request destroys the response, which fails the read.
  const { bytes, isWhole } = await readBodyStart(reply, bytesMax)
  if (!isWhole) throw new ReplyTooLargeError()
  return unpackBytes(bytes, reply.headers['content-encoding'] ?? '', bytesMax)
}
