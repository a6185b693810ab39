import { OpenAPIHono } from '@hono/zod-openapi'
import { allOperations } from '../contract/operations/all-operations.ts'
import type { Operations } from '../contract/operations/operation.ts'
import { sitePageOperations } from '../contract/operations/site-pages.ts'
import { createOpenApiRoute } from './create-openapi-route.ts'
import type { DocentServer } from './app-env.ts'
import { addReferencePages } from './routes/reference-pages.ts'
import type { ServerDeps } from './server-deps.ts'

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
