import type { IncomingMessage } from 'node:http'
import { systemClock } from '../../base/clock.ts'
import { createIdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import { toErrorReply } from '../replies/error-response.ts'

const ids = createIdSource(systemClock)

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

/** Reply to a request whose host or path do not form a URL, so that no route can match. */
export function refuseUnreadable(): Response {
  const requestId = ids.prefixed('req')
  const message = 'The host and path of the request do not form a valid URL. Check both.'
  const { body, status } = toErrorReply(new AppError('invalid_request', message), requestId)
  return Response.json(body, { status, headers: { 'X-Request-Id': requestId } })
}
