import { OpenAPIHono } from '@hono/zod-openapi'
import { allOperations } from '../contract/operations/all-operations.ts'
import type { Operations } from '../contract/operations/operation.ts'
import { sitePageOperations } from '../contract/operations/site-pages.ts'
import { createOpenApiRoute } from './create-openapi-route.ts'
import type { DocentServer } from './app-env.ts'
import { addReferencePages } from './routes/reference-pages.ts'
import type { ServerDeps } from './server-deps.ts'

/** Version of the API that the document describes. */
export const apiVersion = '0.1.0'

const description = `Docent answers questions about a documentation site and searches it.

Every error of every path has the body \`Error\`. Replies carry \`X-Request-Id\`; requests that a limit counts carry \`RateLimit\` and \`RateLimit-Policy\`.`

const documented: Operations = { ...allOperations, ...sitePageOperations }

/** Describes every operation of the tables. */
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
    description: 'An assistant key, `svc_dsc_…`. Public: it opens one site only.',
  },
  adminKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An admin key, `svc_…`. For servers only. The cookie of a session opens the same paths within the role of its member; requests that change something then carry `X-Docent-Form-Token`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-docent_session',
    description:
      'The session of a browser; over plain HTTP the cookie is called `docent_session`. Requests that change something also carry `X-Docent-Form-Token`.',
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
