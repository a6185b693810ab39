import { Hono } from 'hono'
import { allOperations } from '../contract/operations/all-operations.ts'
import { bodyBytesMaxDefault } from '../contract/operations/operation.ts'
import type { ApiKey } from '../store/accounts/keys.ts'
import type { AppContext, AppEnv, DocentServer, ReaderRequest } from './app-env.ts'
import { cacheableReplies } from './replies/cacheable-replies.ts'
import { readErrorCode } from './replies/error-response.ts'
import { createMissingRoute } from './requests/method-not-allowed.ts'
import { serveOpenApi } from './openapi.ts'
import { requireJsonBody } from './bodies/read-json.ts'
import { cors, requestContext, sendError } from './requests/request-context.ts'
import { adminPaths, requireAdmin } from './requests/require-admin.ts'
import { createAgentHandlers } from './handlers/agent.ts'
import { createAuditLogHandlers } from './handlers/audit-log.ts'
import { createAutomationHandlers } from './handlers/automations.ts'
import { createCodeHostAppHandlers } from './handlers/code-host-apps.ts'
import { createContextRepositoryHandlers } from './handlers/context-repositories.ts'
import { createFeedbackHandlers } from './handlers/feedback.ts'
import { createGapHandlers } from './handlers/gaps.ts'
import { createInsightHandlers } from './handlers/insights.ts'
import { createInvitationHandlers } from './handlers/invitations.ts'
import { createKeyHandlers } from './handlers/keys.ts'
import { createMemberHandlers } from './handlers/members.ts'
import { createServiceHandlers } from './handlers/service.ts'
import { createPlaygroundHandlers } from './handlers/playground.ts'
import { createProjectHandlers } from './handlers/projects.ts'
import { createPullRequestHandlers } from './handlers/pull-requests.ts'
import { createRepositoryHandlers } from './handlers/repositories.ts'
import { createSettingHandlers } from './handlers/settings.ts'
import { createSiteHandlers } from './handlers/sites.ts'
import { createSourceCheckHandlers } from './handlers/source-checks.ts'
import { createThreadHandlers } from './handlers/threads.ts'
import { createUsageHandlers } from './handlers/usage.ts'
import { createWebhookEndpointHandlers } from './handlers/webhook-endpoints.ts'
import { createAgentJobHandlers } from './handlers/agent-jobs.ts'
import { addAssets } from './routes/assets.ts'
import { createAssistantHandlers } from './handlers/assistant.ts'
import { addAuthOidc } from './handlers/oidc-sign-in.ts'
import { createSessionHandlers } from './handlers/sessions.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addGitHttp } from './routes/git-http.ts'
import { addGithubAppPages } from './routes/github-app-pages.ts'
import { createProbeHandlers } from './handlers/probes.ts'
import { addPullRequestPages, createPullRequestViewHandlers } from './routes/pull-request-pages.ts'
import { createSearchHandlers } from './handlers/search.ts'
import { addSignIn } from './routes/sign-in.ts'
import { addSitePages } from './routes/site-pages.ts'
import { createReceivedWebhookHandlers } from './handlers/webhooks.ts'
import { createOperationFinder, type Handlers, serveOperations } from './serve-operations.ts'
import type { ServerParts } from './server-parts.ts'

/** The HTTP edge: every route, and before each the checks that no route may forget. */
export function createServer(parts: ServerParts): DocentServer {
  const app: DocentServer = new Hono<AppEnv>()
  app.use(requestContext(parts))
  app.use(cacheableReplies())
  app.use('/discovery/*', cors)
  app.use(async (c, next) => {
    if (!isAlwaysServed(c.req.path)) parts.lifecycle.requireServing()
    return next()
  })
  addRoutes(app, parts)
  serveOpenApi(app, parts)
  const missingRoute = createMissingRoute(app.routes)
  const countAndSend = (error: unknown, c: AppContext) => {
    const code = readErrorCode(error)
    parts.operations.errors.note(code, readOrganization(c))
    parts.telemetry?.metrics.add('docent_http_errors_total', { code })
    return sendError(error, c)
  }
  app.notFound((c) => countAndSend(missingRoute(c.req.path), c))
  app.onError((error, c) => countAndSend(error, c))
  return app
}

const findOperation = createOperationFinder(allOperations)

function addRoutes(app: DocentServer, parts: ServerParts): void {
  for (const path of adminPaths.map((prefix) => `${prefix}*`)) {
    // The key comes before the body, so that nobody without one makes us read megabytes.
    app.use(path, requireAdmin(parts, findOperation))
    app.use(path, (c, next) => {
      const { bodyBytesMax = bodyBytesMaxDefault } = findOperation(c) ?? {}
      return requireJsonBody(parts, bodyBytesMax)(c, next)
    })
  }
  serveOperations(app, parts, allOperations, createHandlers(parts))
  addAssets(app)
  addDashboard(app, parts)
  addSitePages(app, parts)
  addGithubAppPages(app, parts)
  addGitHttp(app, parts)
  addAuthOidc(app, parts)
  addSignIn(app)
  addPullRequestPages(app, parts)
}

function createHandlers(parts: ServerParts): Handlers<typeof allOperations> {
  return {
    ...createAssistantHandlers(parts),
    ...createSearchHandlers(parts),
    ...createSiteHandlers(parts),
    ...createSourceCheckHandlers(parts),
    ...createContextRepositoryHandlers(parts),
    ...createAgentJobHandlers(parts),
    ...createAgentHandlers(parts),
    ...createAutomationHandlers(parts),
    ...createSettingHandlers(parts),
    ...createPullRequestHandlers(parts),
    ...createPullRequestViewHandlers(parts),
    ...createWebhookEndpointHandlers(parts),
    ...createReceivedWebhookHandlers(parts),
    ...createCodeHostAppHandlers(parts),
    ...createRepositoryHandlers(parts),
    ...createThreadHandlers(parts),
    ...createFeedbackHandlers(parts),
    ...createKeyHandlers(parts),
    ...createInsightHandlers(parts),
    ...createGapHandlers(parts),
    ...createUsageHandlers(parts),
    ...createPlaygroundHandlers(parts),
    ...createProjectHandlers(parts),
    ...createMemberHandlers(parts),
    ...createInvitationHandlers(parts),
    ...createAuditLogHandlers(parts),
    ...createSessionHandlers(parts),
    ...createProbeHandlers(parts),
    ...createServiceHandlers(parts),
  }
}

/** Null where the request was refused before anybody knew who sent it. Set variables may be absent then, whatever their types say. */
function readOrganization(c: AppContext): string | null {
  const key: ApiKey | undefined = (c.get('readerRequest') as ReaderRequest | undefined)?.key
  return (c.get('organizationId') as string | undefined) ?? key?.organizationId ?? null
}

/** Probes must see the process while it starts and drains. */
function isAlwaysServed(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/openapi.json'
}
