import type { IncomingMessage } from 'node:http'

/** Takes the place of a host that nobody can read. No name server knows it, so that it is nobody's. */
const unknownHost = 'unknown.invalid'

/**
 * Gives a request an address that can be read: the path of a target in absolute form, and a host where there is none, as
 * in HTTP/1.0, or none that a URL could hold. No route depends on the host.
 *
 * @see RFC 9112, sections 3.2.2 and 3.2.
 */
export function makeReadable(request: IncomingMessage): void {
  const absolute = /^https?:\/\//i.test(request.url ?? '') ? URL.parse(request.url ?? '') : null
  if (absolute !== null) request.url = `${absolute.pathname}${absolute.search}`
  if (!isReadableHost(request.headers.host ?? '')) request.headers.host = unknownHost
}

function isReadableHost(host: string): boolean {
  const url = URL.parse(`http://${host}`)
  return url !== null && url.hostname === host.replace(/:\d+$/, '').toLowerCase()
}
