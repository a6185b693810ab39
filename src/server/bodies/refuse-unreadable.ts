import { systemClock } from '../../base/clock.ts'
import { createIdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import { toErrorReply } from '../replies/error-response.ts'

const ids = createIdSource(systemClock)

/** Reply to a request whose host or path do not form a URL, so that no route can match. */
export function refuseUnreadable(): Response {
  const requestId = ids.prefixed('req')
  const message = 'The host and path of the request do not form a valid URL. Check both.'
  const { body, status } = toErrorReply(new AppError('invalid_request', message), requestId)
  return Response.json(body, { status, headers: { 'X-Request-Id': requestId } })
}
