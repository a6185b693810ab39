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
import { cors, corsPaths, requestContext, sendError } from './requests/request-context.ts'
import { recordAgents } from './requests/record-agents.ts'
import { adminPaths, requireAdmin } from './requests/require-admin.ts'
import { createAgentHandlers } from './handlers/agent.ts'
import { createAgentSessionHandlers } from './handlers/agent-sessions.ts'
import { createAnalyticsHandlers } from './handlers/analytics.ts'
import { createAuditLogHandlers } from './handlers/audit-log.ts'
import { createAutomationHandlers } from './handlers/automations.ts'
import { createBotHandlers } from './handlers/bots.ts'
import { createChatCompletionHandlers } from './handlers/chat-completions.ts'
import { createCodeHostAppHandlers } from './handlers/code-host-apps.ts'
import { createContextRepositoryHandlers } from './handlers/context-repositories.ts'
import { createFeedbackHandlers } from './handlers/feedback.ts'
import { createSuiteHandlers } from './handlers/suite.ts'
import { createDiscrepancyHandlers } from './handlers/discrepancies.ts'
import { createHandOverHandlers } from './handlers/hand-overs.ts'
import { createGapHandlers } from './handlers/gaps.ts'
import { createInsightHandlers } from './handlers/insights.ts'
import { createInsightViewHandlers } from './handlers/insight-views.ts'
import { createInvitationHandlers } from './handlers/invitations.ts'
import { createKeyHandlers } from './handlers/keys.ts'
import { createMemberHandlers } from './handlers/members.ts'
import { createServiceHandlers } from './handlers/service.ts'
import { createPlaygroundHandlers } from './handlers/playground.ts'
import { createHomeHandlers } from './handlers/home.ts'
import { createObjectHandlers } from './handlers/objects.ts'
import { createProjectHandlers } from './handlers/projects.ts'
import { createPullRequestHandlers } from './handlers/pull-requests.ts'
import { createReceiptHandlers } from './handlers/receipts.ts'
import { createRepositoryHandlers } from './handlers/repositories.ts'
import { createSettingHandlers } from './handlers/settings.ts'
import { createSiteHandlers } from './handlers/sites.ts'
import { createSourceCheckHandlers } from './handlers/source-checks.ts'
import { createThreadHandlers } from './handlers/threads.ts'
import { createUsageHandlers } from './handlers/usage.ts'
import { createWebhookEndpointHandlers } from './handlers/webhook-endpoints.ts'
import { createWidgetHandlers } from './handlers/widget.ts'
import { createAgentJobHandlers } from './handlers/agent-jobs.ts'
import { addBrandFiles } from './routes/brand.ts'
import { addAssets } from './routes/assets.ts'
import { createAssistantHandlers } from './handlers/assistant.ts'
import { addAuthOidc } from './handlers/oidc-sign-in.ts'
import { createSessionHandlers } from './handlers/sessions.ts'
import { createMcpHandlers } from './mcp/create-mcp-handlers.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addGitHttp } from './routes/git-http.ts'
import { addGithubAppPages } from './routes/github-app-pages.ts'
import { createProbeHandlers } from './handlers/probes.ts'
import { addPullRequestPages, createPullRequestViewHandlers } from './routes/pull-request-pages.ts'
import { createSearchHandlers } from './handlers/search.ts'
import { addSignIn } from './routes/sign-in.ts'
import { addOriginFiles } from './routes/origin-files.ts'
import { addSitePages } from './routes/site-pages.ts'
import { addWidget } from './routes/widget.ts'
import { createReceivedWebhookHandlers } from './handlers/webhooks.ts'
import { createOperationFinder, type Handlers, serveOperations } from './serve-operations.ts'
import type { ServerDeps } from './server-deps.ts'

/** The HTTP edge: all routes, and the checks that apply to each of them. */
export function createServer(deps: ServerDeps): DocentServer {
  const app: DocentServer = new Hono<AppEnv>()
  app.use(requestContext(deps))
  app.use(cacheableReplies())
  for (const path of corsPaths) app.use(path, cors)
  app.use(async (c, next) => {
    if (!isAlwaysServed(c.req.path)) deps.lifecycle.requireServing()
    return next()
  })
  app.use('/sites/:domain/*', recordAgents(deps))
  addRoutes(app, deps)
  serveOpenApi(app, deps)
  const missingRoute = createMissingRoute(app.routes)
  const countAndSend = (error: unknown, c: AppContext) => {
    const code = readErrorCode(error)
    deps.operations.errors.note(code, readOrganization(c))
    deps.telemetry?.metrics.add('docent_http_errors_total', { code })
    return sendError(error, c)
  }
  app.notFound((c) => countAndSend(missingRoute(c.req.path), c))
  app.onError((error, c) => countAndSend(error, c))
  return app
}

const findOperation = createOperationFinder(allOperations)

function addRoutes(app: DocentServer, deps: ServerDeps): void {
  for (const path of adminPaths.map((prefix) => `${prefix}*`)) {
    // Check the key before the body, so that nobody without one can make us read megabytes.
    app.use(path, requireAdmin(deps, findOperation))
    app.use(path, (c, next) => {
      const { bodyBytesMax = bodyBytesMaxDefault } = findOperation(c) ?? {}
      return requireJsonBody(deps, bodyBytesMax)(c, next)
    })
  }
  serveOperations(app, deps, allOperations, createHandlers(deps))
  addAssets(app)
  addDashboard(app, deps)
  addBrandFiles(app, deps)
  addWidget(app)
  addSitePages(app, deps)
  addOriginFiles(app, deps)
  addGithubAppPages(app, deps)
  addGitHttp(app, deps)
  addAuthOidc(app, deps)
  addSignIn(app)
  addPullRequestPages(app, deps)
}

function createHandlers(deps: ServerDeps): Handlers<typeof allOperations> {
  return {
    ...createAssistantHandlers(deps),
    ...createSearchHandlers(deps),
    ...createMcpHandlers(deps),
    ...createChatCompletionHandlers(deps),
    ...createSiteHandlers(deps),
    ...createSourceCheckHandlers(deps),
    ...createWidgetHandlers(deps),
    ...createContextRepositoryHandlers(deps),
    ...createBotHandlers(deps),
    ...createAgentJobHandlers(deps),
    ...createAgentSessionHandlers(deps),
    ...createAgentHandlers(deps),
    ...createAutomationHandlers(deps),
    ...createSettingHandlers(deps),
    ...createPullRequestHandlers(deps),
    ...createPullRequestViewHandlers(deps),
    ...createWebhookEndpointHandlers(deps),
    ...createReceivedWebhookHandlers(deps),
    ...createCodeHostAppHandlers(deps),
    ...createRepositoryHandlers(deps),
    ...createThreadHandlers(deps),
    ...createReceiptHandlers(deps),
    ...createFeedbackHandlers(deps),
    ...createDiscrepancyHandlers(deps),
    ...createSuiteHandlers(deps),
    ...createHandOverHandlers(deps),
    ...createKeyHandlers(deps),
    ...createInsightHandlers(deps),
    ...createInsightViewHandlers(deps),
    ...createAnalyticsHandlers(deps),
    ...createGapHandlers(deps),
    ...createUsageHandlers(deps),
    ...createPlaygroundHandlers(deps),
    ...createProjectHandlers(deps),
    ...createHomeHandlers(deps),
    ...createObjectHandlers(deps),
    ...createMemberHandlers(deps),
    ...createInvitationHandlers(deps),
    ...createAuditLogHandlers(deps),
    ...createSessionHandlers(deps),
    ...createProbeHandlers(deps),
    ...createServiceHandlers(deps),
  }
}

/** Null if the request was refused before its sender was known. Variables may then be absent despite their types. */
function readOrganization(c: AppContext): string | null {
  const key: ApiKey | undefined = (c.get('readerRequest') as ReaderRequest | undefined)?.key
  return (c.get('organizationId') as string | undefined) ?? key?.organizationId ?? null
}

/** Probes must work while the process starts and drains. */
function isAlwaysServed(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/openapi.json'
}
