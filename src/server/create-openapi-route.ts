import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { errorBodySchema } from '../contract/error-body.ts'
import { isOpenAiPath, openAiErrorSchema } from '../contract/openai-error.ts'
import {
  type Access,
  type ErrorReplyStatus,
  listErrorStatuses,
  type Operation,
  type OperationReply,
} from '../contract/operations/operation.ts'

const errorDescriptions: Readonly<Record<ErrorReplyStatus, string>> = {
  400: 'The request is invalid; `details` lists the invalid values.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key does not allow this request: wrong kind, scope, client address or origin.',
  404: 'The resource does not exist, or the key gives no access to it.',
  409: 'The request conflicts with the current state.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The request is valid but cannot be carried out.',
  429: 'A limit is used up; `Retry-After` says when to try again.',
  503: 'The service is starting or stopping, or its database or the index is unavailable; `Retry-After` says when to try again.',
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
    // Over MCP, public pages need no key.
    security: operation.countsAs === 'tool' ? [{}, ...accessSecurity[access]] : accessSecurity[access],
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
  const schema = isOpenAiPath(operation.path) ? openAiErrorSchema : errorBodySchema
  const content = { 'application/json': { schema } }
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
