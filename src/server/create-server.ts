import { Hono } from 'hono'
import { allOperations } from '../contract/operations/all-operations.ts'
import { bodyBytesMaxDefault } from '../contract/operations/operation.ts'
import type { ApiKey } from '../store/keys.ts'
import type { AppContext, AppEnv, DocentServer, ReaderRequest } from './app-env.ts'
import { cacheableReplies } from './cacheable-replies.ts'
import { readErrorCode } from './error-response.ts'
import { createMissingRoute } from './method-not-allowed.ts'
import { serveOpenApi } from './openapi.ts'
import { requireJsonBody } from './read-json.ts'
import { cors, requestContext, sendError } from './request-context.ts'
import { adminPaths, requireAdmin } from './require-admin.ts'
import { createAgentHandlers } from './routes/admin-agent-jobs-v1.ts'
import { createAuditLogHandlers } from './routes/admin-audit-log-v1.ts'
import { createAutomationHandlers } from './routes/admin-automations-v1.ts'
import { createCodeHostAppHandlers } from './routes/admin-code-host-apps-v1.ts'
import { createContextRepositoryHandlers } from './routes/admin-context-repositories-v1.ts'
import { createFeedbackHandlers } from './routes/admin-feedback-v1.ts'
import { createGapHandlers } from './routes/admin-gaps-v1.ts'
import { createInsightHandlers } from './routes/admin-insights-v1.ts'
import { createInvitationHandlers } from './routes/admin-invitations-v1.ts'
import { createKeyHandlers } from './routes/admin-keys-v1.ts'
import { createMemberHandlers } from './routes/admin-members-v1.ts'
import { createServiceHandlers } from './routes/admin-operations-v1.ts'
import { createPlaygroundHandlers } from './routes/admin-playground-v1.ts'
import { createProjectHandlers } from './routes/admin-projects-v1.ts'
import { createPullRequestHandlers } from './routes/admin-pull-requests-v1.ts'
import { createRepositoryHandlers } from './routes/admin-repositories-v1.ts'
import { createSettingHandlers } from './routes/admin-settings-v1.ts'
import { createSiteHandlers } from './routes/admin-sites-v1.ts'
import { createSourceCheckHandlers } from './routes/admin-source-checks-v1.ts'
import { createThreadHandlers } from './routes/admin-threads-v1.ts'
import { createUsageHandlers } from './routes/admin-usage-v1.ts'
import { createWebhookEndpointHandlers } from './routes/admin-webhooks-v1.ts'
import { createAgentJobHandlers } from './routes/agent-jobs-v2.ts'
import { addAssets } from './routes/assets.ts'
import { createAssistantHandlers } from './routes/assistant.ts'
import { addAuthOidc } from './routes/auth-oidc.ts'
import { createSessionHandlers } from './routes/auth.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addGitHttp } from './routes/git-http.ts'
import { addGithubAppPages } from './routes/github-app-pages.ts'
import { createProbeHandlers } from './routes/health.ts'
import { addPullRequestPages, createPullRequestViewHandlers } from './routes/pull-request-pages.ts'
import { createSearchHandlers } from './routes/search-v1.ts'
import { addSignIn } from './routes/sign-in.ts'
import { addSitePages } from './routes/site-pages.ts'
import { createReceivedWebhookHandlers } from './routes/webhooks.ts'
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
