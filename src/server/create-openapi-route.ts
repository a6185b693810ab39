import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { errorBodySchema } from '../contract/error-body.ts'
import {
  type Access,
  type ErrorReplyStatus,
  listErrorStatuses,
  type Operation,
  type OperationReply,
} from '../contract/operations/operation.ts'

const errorDescriptions: Readonly<Record<ErrorReplyStatus, string>> = {
  400: 'The request is not valid; `details` says where.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key may not be used here: wrong kind, scope, address or origin.',
  404: 'Not found for this key.',
  409: 'Conflicts with the current state.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'Understood, but cannot be carried out.',
  429: 'A limit is used up; `Retry-After` says when to try again.',
  503: 'Starting, stopping, or without its database or index; `Retry-After` says when to try again.',
}

/** Schemes by name. Other operations are open to everyone or verify what they are sent. */
const accessSecurity: Readonly<Record<Access, { [scheme: string]: string[] }[]>> = {
  public: [],
  session: [{ session: [] }],
  signature: [],
  reader: [{ assistantKey: [] }],
  viewer: [{ adminKey: [] }],
  editor: [{ adminKey: [] }],
  owner: [{ adminKey: [] }],
}

/** An operation in the form the OpenAPI generator takes. */
export function createOpenApiRoute(operation: Operation) {
  const { id, method, path, tag, summary, description, deprecated, access, params, query, headers, body } = operation
  return createRoute({
    operationId: id,
    method,
    path,
    tags: [tag.name],
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    security: accessSecurity[access],
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && {
        body: {
          ...(!operation.isBodyOptional && { required: true }),
          content: { 'application/json': { schema: body } },
        },
      }),
    },
    responses: listResponses(operation),
  })
}

function listResponses(operation: Operation): Record<number, { description: string }> {
  const content = { 'application/json': { schema: errorBodySchema } }
  const errors = listErrorStatuses(operation).map((status) => [
    status,
    { description: errorDescriptions[status], content },
  ])
  const replies = Object.entries(operation.replies).map(([status, reply]) => [status, toResponse(reply)])
  return Object.fromEntries([...errors, ...replies])
}

function toResponse({ description, json, text = [] }: OperationReply) {
  const texts = text.map((type) => [type, { schema: z.string() }])
  const content = Object.fromEntries([
    ...texts,
    ...(json === undefined ? [] : [['application/json', { schema: json }]]),
  ])
  return Object.keys(content).length === 0 ? { description } : { description, content }
}
