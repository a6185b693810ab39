import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { FetchedText } from './site-fetcher.ts'

/** A response kept for the next crawl. */
export interface CachedReply {
  /** After redirects. */
  url: string
  contentType: string
  /** Lower case; only the headers needed to read the response again. */
  headers: Record<string, string>
  /** Deflated. */
  text: Uint8Array
  /** Consecutive crawls that failed to fetch it. */
  failures: number
}

/** By requested address, and by the address that responded. */
export type CachedReplyMap = ReadonlyMap<string, CachedReply>

/** A page that fails once is most likely back in the next crawl; after this many failures it is dropped. */
const failuresMax = 3

const keptHeaders = ['etag', 'last-modified', 'x-robots-tag']

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/**
 * What the previous crawl fetched: only changes are requested, and a page whose server fails temporarily does not vanish
 * from the site.
 */
export class ReplyCache {
  readonly #before: CachedReplyMap
  readonly #now = new Map<string, CachedReply>()

  constructor(before: CachedReplyMap) {
    this.#before = before
  }

  /** Validators for a conditional request. */
  validatorsFor({ href }: URL): Record<string, string> {
    const known = this.#before.get(href)
    // Validators belong to the address that returned them.
    if (known === undefined || known.url !== href) return {}
    const { etag, 'last-modified': lastModified } = known.headers
    if (etag !== undefined) return { 'if-none-match': etag }
    return lastModified === undefined ? {} : { 'if-modified-since': lastModified }
  }

  /** Records a response, unless this crawl already has one for the address. */
  async add(asked: URL, reply: FetchedText): Promise<void> {
    if (this.#now.has(asked.href)) return
    const headers: Record<string, string> = {}
    for (const name of keptHeaders) {
      const value = reply.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    const text = new Uint8Array(await pack(reply.text))
    const kept = { url: reply.url.href, contentType: reply.contentType, headers, text, failures: 0 }
    this.#now.set(asked.href, kept).set(reply.url.href, kept)
  }

  /** The previous response, after the server answered 304; null if there is none. */
  async confirm(asked: URL, answered: URL, textBytesMax: number): Promise<FetchedText | null> {
    const known = this.#before.get(answered.href)
    if (known === undefined) return null
    const kept = { ...known, failures: 0 }
    this.#now.set(asked.href, kept).set(kept.url, kept)
    return toFetched(kept, textBytesMax)
  }

  /**
   * The previous response, in place of one that is unavailable now.
   *
   * @param counts Whether this counts as a failure of the server; false if it was not asked.
   */
  async recall(asked: URL, counts: boolean, textBytesMax: number): Promise<FetchedText | null> {
    const known = this.#before.get(asked.href)
    const failures = (known?.failures ?? 0) + Number(counts)
    if (known === undefined || failures > failuresMax) return null
    const kept = { ...known, failures }
    this.#now.set(asked.href, kept).set(kept.url, kept)
    return toFetched(kept, textBytesMax)
  }

  /** Responses to keep for the next crawl: all that this one used. */
  list(): Map<string, CachedReply> {
    return this.#now
  }
}

async function toFetched({ url, contentType, headers, text }: CachedReply, bytesMax: number): Promise<FetchedText> {
  const bytes = await unpack(text, { maxOutputLength: bytesMax })
  return { url: new URL(url), status: 200, contentType, headers, text: bytes.toString('utf8') }
}
