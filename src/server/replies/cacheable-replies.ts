import type { MiddlewareHandler } from 'hono/types'
import { listAcceptedEncodings } from './accepted-encoding.ts'
import type { AppContext, AppEnv } from '../app-env.ts'
import { CompressedBodies, compressStream, digestBody, toReadableStream } from './compressed-bodies.ts'

/** Smaller bodies fit into one packet anyway. */
const bytesMin = 1_024

const compressible = /^(?:text\/(?!event-stream)|image\/svg\+xml|application\/(?:[\w.+-]+\+)?(?:json|javascript|xml)\b)/

/** Headers that a 304 repeats. */
const keptHeaders = new Set(['cache-control', 'content-location', 'etag', 'expires', 'link', 'vary', 'x-request-id'])

/**
 * Adds an `ETag` to cacheable replies, answers 304 if the client has a current copy, and compresses them.
 *
 * Applies to publicly cacheable replies only: `Cache-Control` without `private` and `no-store`. So no secret is
 * compressed together with attacker-chosen text, whose size would reveal it (BREACH), and no answer stream is buffered.
 */
export function cacheableReplies(bodies: CompressedBodies = new CompressedBodies()): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next()
    if ((c.req.method !== 'GET' && c.req.method !== 'HEAD') || !isCacheable(c.res)) return
    if (c.res.status === 304) return addVary(c.res.headers)
    if (isCurrent(c)) return notModified(c)
    if (c.res.headers.has('content-encoding')) return addVary(c.res.headers)
    if (compressible.test(c.res.headers.get('content-type') ?? '')) await sendBody(c, bodies)
  }
}

function isCacheable({ status, headers }: Response): boolean {
  const cacheControl = headers.get('cache-control') ?? 'no-store'
  return (
    (status === 200 || status === 304) &&
    !headers.has('set-cookie') &&
    !/no-store|private|no-transform/.test(cacheControl)
  )
}

async function sendBody(c: AppContext, bodies: CompressedBodies): Promise<void> {
  const { body, headers } = c.res
  const [encoding] = listAcceptedEncodings(c.req.header('accept-encoding'))
  const { whole, rest } = await readWhole(body)
  if (rest !== null) {
    addVary(headers)
    if (encoding === undefined) return setBody(c, toReadableStream(rest))
    markEncoded(headers, encoding)
    return setBody(c, compressStream(rest, encoding))
  }
  if (whole.byteLength < bytesMin) return setBody(c, whole)
  addVary(headers)
  const digest = digestBody(whole)
  if (!headers.has('etag')) headers.set('etag', `W/"${digest}"`)
  if (isCurrent(c)) return notModified(c)
  if (encoding === undefined) return setBody(c, whole)
  const compressed = await bodies.find(whole, digest, encoding)
  markEncoded(headers, encoding)
  setBody(c, compressed)
}

/** @returns The body if it is complete; otherwise a source that is still being generated. */
async function readWhole(body: ReadableStream<Uint8Array> | null) {
  const chunks = (body ?? new Blob().stream()).values()
  const first = await chunks.next()
  if (first.done === true) return { whole: new Uint8Array(), rest: null }
  const second = await chunks.next()
  if (second.done === true) return { whole: new Uint8Array(first.value), rest: null }
  return { whole: new Uint8Array(), rest: joinChunks([first.value, second.value], chunks) }
}

async function* joinChunks(read: Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* read
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
  } finally {
    await chunks.return?.()
  }
}

/** One tag for several encodings must be weak. */
function markEncoded(headers: Headers, encoding: string): void {
  headers.set('content-encoding', encoding)
  headers.delete('content-length')
  const etag = headers.get('etag')
  if (etag !== null && !etag.startsWith('W/')) headers.set('etag', `W/${etag}`)
}

function addVary(headers: Headers): void {
  const vary = headers.get('vary')
  if (!/(?:^|[\s,])(?:accept-encoding|\*)(?:$|[\s,])/i.test(vary ?? '')) {
    headers.set('vary', vary === null ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
  }
}

/** Weak comparison, as RFC 9110 requires for `If-None-Match`. */
function isCurrent(c: AppContext): boolean {
  const etag = c.res.headers.get('etag')
  const given = c.req.header('if-none-match')
  if (etag === null || given === undefined) return false
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return given.trim() === '*' || given.split(',').some((tag) => bare(tag) === bare(etag))
}

function notModified(c: AppContext): void {
  addVary(c.res.headers)
  void c.res.body?.cancel().catch(() => undefined)
  const headers = [...c.res.headers].filter(([name]) => keptHeaders.has(name))
  c.res = undefined
  c.res = new Response(null, { status: 304, headers })
}

function setBody(c: AppContext, body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>): void {
  const { status, headers } = c.res
  const sent = new Headers(headers)
  c.res = undefined
  c.res = new Response(body, { status, headers: sent })
}
