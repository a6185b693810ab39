import { systemClock } from '../../base/clock.ts'
import { createIdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import { toErrorReply } from '../replies/error-response.ts'

const ids = createIdSource(systemClock)

/** The reply to a request whose host or path make no address, so that it reaches no route. */
export function refuseUnreadable(): Response {
  const requestId = ids.prefixed('req')
  const message = 'The host and the path of the request make no address. Send both as HTTP has them.'
  const { body, status } = toErrorReply(new AppError('invalid_request', message), requestId)
  return Response.json(body, { status, headers: { 'X-Request-Id': requestId } })
}
