import { systemClock } from '../base/clock.ts'
import { createIdSource } from '../base/ids.ts'
import { AppError } from '../contract/app-error.ts'
import { toErrorReply } from './error-response.ts'

const ids = createIdSource(systemClock)

/** The reply to a request whose path makes no address, so that it reaches no route. */
export function refuseUnreadable(): Response {
  const requestId = ids.prefixed('req')
  const message = 'The path of the request makes no address. Send it as HTTP has it, percent-encoded.'
  const { body, status } = toErrorReply(new AppError('invalid_request', message), requestId)
  return Response.json(body, { status, headers: { 'X-Request-Id': requestId } })
}
