import type { DocentServer } from './create-server.ts'
import { addReferencePages } from './routes/reference-pages.ts'
import type { ServerParts } from './server-parts.ts'

/** The version of the API that the document describes. */
export const apiVersion = '0.1.0'

const description = `Docent answers questions about a documentation site and searches it.

Every error of every path has the body \`Error\`. Replies carry \`X-Request-Id\`; requests that a limit counts carry \`RateLimit\` and \`RateLimit-Policy\`.`

/** The description of every route, made from the routes themselves. */
export function buildOpenApi(app: DocentServer, baseUrl: string) {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Docent',
      version: apiVersion,
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: 'Assistant', description: 'Ask questions; answers are streamed.' },
      { name: 'Search', description: 'Search a site and read its pages.' },
      { name: 'Sites', description: 'Sites and their indexing.' },
      { name: 'Agent', description: 'Jobs that edit the documentation and open pull requests.' },
      { name: 'Settings', description: 'Settings of the installation that can be stored.' },
      { name: 'Pull requests', description: 'Pull requests of the built-in host.' },
      { name: 'Webhooks', description: 'What code hosts tell Docent, and what Docent tells others.' },
      { name: 'Code hosts', description: 'Apps on GitHub.' },
      { name: 'Repositories', description: 'Repositories of the built-in host.' },
      { name: 'Threads', description: 'Conversations as they were stored.' },
      { name: 'Feedback', description: 'What readers say of answers.' },
      { name: 'Keys', description: 'Keys of both kinds.' },
      { name: 'Insights', description: 'What readers ask, and what the documentation lacks.' },
      { name: 'Usage', description: 'What is used of the limits.' },
      { name: 'Playground', description: 'Answers that are tried out.' },
      { name: 'Projects', description: 'What sites belong to.' },
      { name: 'Accounts', description: 'Signing in, members, invitations and the audit log.' },
      { name: 'Site pages', description: 'Public pages as Docent serves them.' },
      { name: 'Operations', description: 'How the service is: for probes and for those who run it.' },
    ],
  })
}

export function serveOpenApi(app: DocentServer, { baseUrl }: ServerParts): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'assistantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An assistant key, `svc_dsc_…`. Public: it opens one site only.',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'adminKey', {
    type: 'http',
    scheme: 'bearer',
    description:
      'An admin key, `svc_…`. For servers only. The cookie of a session opens the same paths within the role of its member; requests that change something then carry `X-Docent-Form-Token`.',
  })
  let document: ReturnType<typeof buildOpenApi> | undefined
  const getDocument = () => (document ??= buildOpenApi(app, baseUrl))
  let text: string | undefined
  app.get('/openapi.json', (c) => {
    text ??= JSON.stringify(getDocument())
    return c.body(text, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' })
  })
  addReferencePages(app, getDocument)
}
