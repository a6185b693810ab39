import type { IncomingMessage } from 'node:http'

/** Takes the place of a host that nobody can read. No name server knows it, so that it is nobody's. */
const unknownHost = 'unknown.invalid'

/** A host as RFC 3986 has it, with a port: more than a URL takes, which has no host of strange numbers or of nothing. */
const hostSyntax = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/**
 * Gives a request an address that can be read: the path of a target in absolute form, and a host where there is none, as
 * in HTTP/1.0, or none that a URL could hold. No route depends on the host. One that is against the syntax stays, and is
 * refused with 400.
 *
 * @see RFC 9112, sections 3.2 and 3.2.2.
 */
export function makeReadable(request: IncomingMessage): void {
  const absolute = /^https?:\/\//i.test(request.url ?? '') ? URL.parse(request.url ?? '') : null
  if (absolute !== null) request.url = `${absolute.pathname}${absolute.search}`
  const host = request.headers.host ?? ''
  // The host of a target in absolute form counts in place of the header, whatever that says.
  const isReplaced = absolute !== null || hostSyntax.test(host)
  if (isReplaced && !isReadableHost(host)) request.headers.host = unknownHost
}

function isReadableHost(host: string): boolean {
  const url = URL.parse(`http://${host}`)
  return url !== null && url.hostname === host.replace(/:\d+$/, '').toLowerCase()
}
