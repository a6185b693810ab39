import { errorBodySchema } from '../contract/error-body.ts'

type ErrorStatusText = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503

const descriptions: Readonly<Record<ErrorStatusText, string>> = {
  400: 'The request is not valid; `details` says where.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key may not be used here: wrong kind, scope, address or origin.',
  404: 'There is no such thing for this key.',
  409: 'It conflicts with what is there.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'It is understood and cannot be done.',
  429: 'A limit is used up; `Retry-After` says when to try again.',
  503: 'Starting, stopping, or without its database or index; `Retry-After` says when to try again.',
}

/** The error responses of a route, for its description. */
export function errorResponses<Status extends ErrorStatusText>(...statuses: Status[]) {
  const content = { 'application/json': { schema: errorBodySchema } }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: descriptions[status], content }]),
  ) as Record<Status, { description: string; content: typeof content }> // The keys are the statuses given.
}
