import { OpenAPIHono, createRoute } from '@hono/zod-openapi'
import { allOperations } from '../contract/operations/all-operations.ts'
import {
  type Operations,
  type Access,
  type ErrorReplyStatus,
  listErrorStatuses,
  type Operation,
  type OperationReply,
} from '../contract/operations/operation.ts'
import { sitePageOperations } from '../contract/operations/site-pages.ts'
import type { DocentServer } from './app-env.ts'
import { addReferencePages } from './routes/reference-pages.ts'
import type { ServerDeps } from './server-deps.ts'
import { z } from 'zod'
import { errorBodySchema } from '../contract/error-body.ts'
import { isOpenAiPath, openAiErrorSchema } from '../contract/openai-error.ts'

/** Version of the described API. */
export const apiVersion = '0.1.0'

const description = `Docent answers questions about documentation sites and searches them.

Every error response has the body \`Error\`. Every response has the header \`X-Request-Id\`; responses to rate-limited requests also have \`RateLimit\` and \`RateLimit-Policy\`.`

const documented: Operations = { ...allOperations, ...sitePageOperations }

/** Builds the OpenAPI document of all operations. */
export function buildOpenApi(baseUrl: string) {
  const generator = new OpenAPIHono()
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    generator.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  }
  for (const operation of Object.values(documented)) {
    generator.openAPIRegistry.registerPath(createOpenApiRoute(operation))
  }
  return generator.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Docent',
      version: apiVersion,
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Map(Object.values(documented).map(({ tag }) => [tag.name, tag])).values()],
  })
}

const securitySchemes = {
  assistantKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An assistant key, `svc_dsc_…`. It may be public: it gives access to one site only.',
  },
  adminKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      "An admin key, `svc_…`. Keep it on servers. A session cookie gives access to the same paths within its member's role; requests other than GET then also need `X-Docent-Form-Token`.",
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-docent_session',
    description:
      'A browser session. Over plain HTTP, the cookie is named `docent_session`. Requests other than GET also need `X-Docent-Form-Token`.',
  },
} as const

export function serveOpenApi(app: DocentServer, { baseUrl }: Pick<ServerDeps, 'baseUrl'>): void {
  let document: ReturnType<typeof buildOpenApi> | undefined
  const getDocument = () => (document ??= buildOpenApi(baseUrl))
  let text: string | undefined
  app.get('/openapi.json', (c) => {
    text ??= JSON.stringify(getDocument())
    return c.body(text, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' })
  })
  addReferencePages(app, getDocument)
}

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
function createOpenApiRoute(operation: Operation) {
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
