import type { IncomingMessage } from 'node:http'

/** Replaces an unreadable host. `.invalid` is reserved, so it belongs to nobody. */
const unknownHost = 'unknown.invalid'

/** A host with port by RFC 3986. Wider than what URLs accept, which excludes malformed numeric and empty hosts. */
const hostSyntax = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/**
 * Gives a request a parseable URL: the path of an absolute-form target, and a placeholder host if there is none (as in
 * HTTP/1.0) or if no URL can contain it. No route depends on the host. A malformed host stays and is refused with 400.
 *
 * @see RFC 9112, sections 3.2 and 3.2.2.
 */
export function makeReadable(request: IncomingMessage): void {
  const absolute = /^https?:\/\//i.test(request.url ?? '') ? URL.parse(request.url ?? '') : null
  if (absolute !== null) request.url = `${absolute.pathname}${absolute.search}`
  const host = request.headers.host ?? ''
  // The host of an absolute-form target overrides the header.
  const isReplaced = absolute !== null || hostSyntax.test(host)
  if (isReplaced && !isReadableHost(host)) request.headers.host = unknownHost
}

function isReadableHost(host: string): boolean {
  const url = URL.parse(`http://${host}`)
  return url !== null && url.hostname === host.replace(/:\d+$/, '').toLowerCase()
}
