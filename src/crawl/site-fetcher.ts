import { setTimeout as wait } from 'node:timers/promises'
import { AddressBook, AddressRefusedError, type ResolveHost, type ResolvedAddress } from '../base/address-book.ts'
import type { Clock } from '../base/clock.ts'
import { isPlainAddress } from '../base/plain-address.ts'
import type { CrawlLimits } from './crawl-limits.ts'
import { ReplyCache, type CachedReplyMap } from './reply-cache.ts'
import { type RobotsRules, everythingAllowed } from './robots-rules.ts'
import { isGzip, ReplyTooLargeError, unpackBytes } from './unpack-bytes.ts'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { sendHttpRequest } from '../base/http-request.ts'
import { readBodyStart } from '../base/body-start.ts'

export interface SiteFetcherOptions {
  userAgent: string
  limits: CrawlLimits
  allowsPrivate: boolean
  clock: Clock
  resolve: ResolveHost
  signal: AbortSignal
  /** From the previous crawl; empty for the first. */
  kept: CachedReplyMap
}

export interface FetchedText {
  /** After redirects. */
  url: URL
  status: number
  /** Lower case, without parameters. */
  contentType: string
  headers: FetchedAddress['headers']
  text: string
}

export type FetchOutcome =
  | { kind: 'fetched'; reply: FetchedText }
  /** Why the fetch failed. The content is that of an earlier crawl. */
  | { kind: 'kept'; reply: FetchedText; reason: string }
  /** The reason, as a sentence fragment that reveals nothing about the network. */
  | { kind: 'failed'; reason: string }

/** Whether a redirect there may be followed. */
export type FollowsTo = (url: URL) => boolean

/** Fetches addresses one delay apart, within the limits of the whole crawl. */
export class SiteFetcher {
  readonly #options: SiteFetcherOptions
  readonly #addresses: AddressBook
  readonly #deadline: number
  #bytesLeft: number
  #nextAt = 0
  #hasAnswer = false
  readonly kept: ReplyCache
  rules: RobotsRules = everythingAllowed

  constructor(options: SiteFetcherOptions) {
    this.#options = options
    this.#addresses = new AddressBook(options.resolve, options.allowsPrivate)
    this.#deadline = options.clock.now() + options.limits.timeMs
    this.#bytesLeft = options.limits.totalBytesMax
    this.kept = new ReplyCache(options.kept)
  }

  /** Whether the site has responded at all; if not, all content is that of an earlier crawl. */
  get hasAnswer(): boolean {
    return this.#hasAnswer
  }

  /** Why no further requests may be made, or null. */
  get exhausted(): string | null {
    const { clock, limits } = this.#options
    if (clock.now() > this.#deadline) return `the crawl took longer than ${limits.timeMs} milliseconds`
    return this.#bytesLeft > 0 ? null : `the crawl fetched more than ${limits.totalBytesMax} bytes`
  }

  /**
   * Fetches an address unless it is unchanged since the previous crawl, and falls back to that crawl if the server fails.
   *
   * @throws {AbortError} when the crawl is stopped; every other failure is an outcome.
   */
  async fetch(url: URL, bytesMax: number, follows: FollowsTo): Promise<FetchOutcome> {
    const isExhausted = this.exhausted !== null
    const outcome = await this.#follow(url, bytesMax, follows)
    const reason = outcome.kind === 'failed' ? outcome.reason : failureOf(outcome.reply.status)
    if (reason === null) {
      this.#hasAnswer = true
      if (outcome.kind === 'fetched' && outcome.reply.status === 200) await this.kept.add(url, outcome.reply)
      return outcome
    }
    const reply = await this.kept.recall(url, !isExhausted, bytesMax).catch(() => null)
    return reply === null ? outcome : { kind: 'kept', reply, reason }
  }

  async #follow(url: URL, bytesMax: number, follows: FollowsTo): Promise<FetchOutcome> {
    const { limits, allowsPrivate, signal } = this.#options
    let target = url
    for (let redirects = 0; redirects <= limits.redirectsMax; redirects++) {
      const problem = this.exhausted
      if (problem !== null) return { kind: 'failed', reason: problem }
      await this.#takeTurn()
      const reply = await this.#send(target, bytesMax)
      signal.throwIfAborted()
      if (typeof reply === 'string') return { kind: 'failed', reason: reply }
      if (reply.status === 304) return this.#confirm(url, target, bytesMax)
      const location = [301, 302, 303, 307, 308].includes(reply.status) ? reply.headers.location : undefined
      if (location === undefined) return this.#decode(reply, target, bytesMax)
      const next = URL.parse(location, target)
      if (next === null || !isPlainAddress(next, allowsPrivate) || !follows(next))
        return { kind: 'failed', reason: 'it leads to an address outside of the crawl' }
      target = next
    }
    return { kind: 'failed', reason: `it redirects more than ${limits.redirectsMax} times` }
  }

  async #confirm(asked: URL, answered: URL, bytesMax: number): Promise<FetchOutcome> {
    const reply = await this.kept.confirm(asked, answered, bytesMax).catch(() => null)
    return reply === null
      ? { kind: 'failed', reason: 'the server answered 304 to a question that it was not asked' }
      : { kind: 'fetched', reply }
  }

  /** Requests start one delay apart, however many callers wait. */
  async #takeTurn(): Promise<void> {
    const { clock, limits, signal } = this.#options
    const now = clock.now()
    const at = Math.max(now, this.#nextAt)
    this.#nextAt = at + Math.max(limits.delayMs, this.rules.delayMs)
    if (at > now) await wait(at - now, undefined, { signal })
  }

  async #send(url: URL, bytesMax: number): Promise<FetchedAddress | string> {
    const { userAgent, limits, signal } = this.#options
    const timeoutMs = limits.requestTimeoutMs
    try {
      const validators = this.kept.validatorsFor(url)
      const addresses = this.#addresses
      const reply = await fetchAddress({ url, userAgent, addresses, validators, bytesMax, timeoutMs, signal })
      this.#bytesLeft -= reply.body.byteLength
      return reply
    } catch (error) {
      // A response that was cut off was downloaded up to its limit.
      if (error instanceof ReplyTooLargeError) this.#bytesLeft -= bytesMax
      return error instanceof ReplyTooLargeError || error instanceof AddressRefusedError
        ? lowerFirst(error.message)
        : 'it could not be fetched'
    }
  }

  async #decode(reply: FetchedAddress, url: URL, bytesMax: number): Promise<FetchOutcome> {
    const contentType = (reply.headers['content-type'] ?? '').replace(/;.*$/, '').trim().toLowerCase()
    try {
      const bytes = isGzip(reply.body) ? await unpackBytes(reply.body, 'gzip', bytesMax) : reply.body
      const text = new TextDecoder('utf-8').decode(bytes)
      return { kind: 'fetched', reply: { url, status: reply.status, contentType, headers: reply.headers, text } }
    } catch (error) {
      return {
        kind: 'failed',
        reason: error instanceof ReplyTooLargeError ? lowerFirst(error.message) : 'it is packed wrongly',
      }
    }
  }
}

/** For statuses of an overloaded or failing server, which say nothing about the page: the reason. Otherwise null. */
function failureOf(status: number): string | null {
  return status === 429 || status >= 500 ? `the server answered ${status}` : null
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`
}

interface FetchInput {
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

interface FetchedAddress {
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
async function fetchAddress(input: FetchInput): Promise<FetchedAddress> {
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
