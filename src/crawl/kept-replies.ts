import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { FetchedText } from './site-fetcher.ts'

/** A page or list of a site as it was answered, kept for the next crawl. */
export interface KeptReply {
  /** After redirects. */
  url: string
  contentType: string
  /** Lower case; the few that a later reading of the reply needs. */
  headers: Record<string, string>
  /** Deflated. */
  text: Uint8Array
  /** Crawls in a row that could not fetch it. */
  failures: number
}

/** By the address that was asked for, and by the one that answered. */
export type KeptReplyMap = ReadonlyMap<string, KeptReply>

/** A page that fails in one crawl is most likely back in the next one; after this many it is gone. */
const failuresMax = 3

const keptHeaders = ['etag', 'last-modified', 'x-robots-tag']

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/**
 * What a crawl knows from the one before: it asks only for what has changed, and a page whose server fails for a moment
 * does not vanish from the site.
 */
export class KeptReplies {
  readonly #before: KeptReplyMap
  readonly #now = new Map<string, KeptReply>()

  constructor(before: KeptReplyMap) {
    this.#before = before
  }

  /** What to send along, so that a reply which is still the same comes without its body. */
  validatorsFor({ href }: URL): Record<string, string> {
    const known = this.#before.get(href)
    // The validators of a reply belong to the address that gave it.
    if (known === undefined || known.url !== href) return {}
    const { etag, 'last-modified': lastModified } = known.headers
    if (etag !== undefined) return { 'if-none-match': etag }
    return lastModified === undefined ? {} : { 'if-modified-since': lastModified }
  }

  /** Notes a reply, unless this crawl has one of the address already. */
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

  /** The reply of the crawl before, which the server says is still the same. Null where there is none. */
  async confirm(asked: URL, answered: URL, textBytesMax: number): Promise<FetchedText | null> {
    const known = this.#before.get(answered.href)
    if (known === undefined) return null
    const kept = { ...known, failures: 0 }
    this.#now.set(asked.href, kept).set(kept.url, kept)
    return toFetched(kept, textBytesMax)
  }

  /**
   * The reply of an earlier crawl, for one that cannot be had now.
   *
   * @param counts Whether its server failed; false when nobody asked it.
   */
  async recall(asked: URL, counts: boolean, textBytesMax: number): Promise<FetchedText | null> {
    const known = this.#before.get(asked.href)
    const failures = (known?.failures ?? 0) + Number(counts)
    if (known === undefined || failures > failuresMax) return null
    const kept = { ...known, failures }
    this.#now.set(asked.href, kept).set(kept.url, kept)
    return toFetched(kept, textBytesMax)
  }

  /** For the next crawl: everything that this one had a use for. */
  list(): Map<string, KeptReply> {
    return this.#now
  }
}

async function toFetched({ url, contentType, headers, text }: KeptReply, bytesMax: number): Promise<FetchedText> {
  const bytes = await unpack(text, { maxOutputLength: bytesMax })
  return { url: new URL(url), status: 200, contentType, headers, text: bytes.toString('utf8') }
}
