import { OpenAPIHono } from '@hono/zod-openapi'
import { readErrorDetails } from '../contract/error-details.ts'
import type { ApiKey } from '../store/keys.ts'
import { acceptReader } from './accept-reader.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import { cacheableReplies } from './cacheable-replies.ts'
import { readErrorCode } from './error-response.ts'
import { createMissingRoute } from './method-not-allowed.ts'
import { serveOpenApi } from './openapi.ts'
import {
  invalidRequest,
  jobBytesMax,
  longTextBytesMax,
  messageBytesMax,
  requestBytesMax,
  requireJsonBody,
} from './read-json.ts'
import type { ReaderRequest } from './reader-request.ts'
import { requireAdmin } from './require-admin.ts'
import { cors, requestContext, sendError } from './request-context.ts'
import { addAdminAgentJobs } from './routes/admin-agent-jobs-v1.ts'
import { addAdminEvents } from './routes/admin-events-v1.ts'
import { addAdminCodeHostApps } from './routes/admin-code-host-apps-v1.ts'
import { addAdminAutomations } from './routes/admin-automations-v1.ts'
import { addAdminContextRepositories } from './routes/admin-context-repositories-v1.ts'
import { addAdminAuditLog } from './routes/admin-audit-log-v1.ts'
import { addAdminExplainSearch } from './routes/admin-explain-search-v1.ts'
import { addAdminFeedback } from './routes/admin-feedback-v1.ts'
import { addAdminInvitations } from './routes/admin-invitations-v1.ts'
import { addAdminGaps } from './routes/admin-gaps-v1.ts'
import { addAdminInsights } from './routes/admin-insights-v1.ts'
import { addAdminKeys } from './routes/admin-keys-v1.ts'
import { addAdminOperations } from './routes/admin-operations-v1.ts'
import { addAdminPlayground } from './routes/admin-playground-v1.ts'
import { addAdminMembers } from './routes/admin-members-v1.ts'
import { addAdminProjects } from './routes/admin-projects-v1.ts'
import { addAdminSettings } from './routes/admin-settings-v1.ts'
import { addAdminPullRequests } from './routes/admin-pull-requests-v1.ts'
import { addAdminRepositories } from './routes/admin-repositories-v1.ts'
import { addAdminSourceChecks } from './routes/admin-source-checks-v1.ts'
import { addAdminSites } from './routes/admin-sites-v1.ts'
import { addAdminThreads } from './routes/admin-threads-v1.ts'
import { addAdminUsage } from './routes/admin-usage-v1.ts'
import { addAdminWebhooks } from './routes/admin-webhooks-v1.ts'
import { addAgentJobs } from './routes/agent-jobs-v2.ts'
import { addAssistantV1 } from './routes/assistant-v1.ts'
import { addAssistantV2 } from './routes/assistant-v2.ts'
import { addAssets } from './routes/assets.ts'
import { addAuthLink } from './routes/auth-link.ts'
import { addAuth } from './routes/auth.ts'
import { addAuthOidc } from './routes/auth-oidc.ts'
import { addDashboard } from './routes/dashboard.ts'
import { addFeedbackV2 } from './routes/feedback-v2.ts'
import { addGithubAppPages } from './routes/github-app-pages.ts'
import { addGitHttp } from './routes/git-http.ts'
import { addHealth } from './routes/health.ts'
import { addPageV1 } from './routes/page-v1.ts'
import { addPullRequestPages } from './routes/pull-request-pages.ts'
import { addReaderSession } from './routes/reader-session-v2.ts'
import { addResume } from './routes/resume.ts'
import { addSearchV1 } from './routes/search-v1.ts'
import { addSignIn } from './routes/sign-in.ts'
import { addSitePages } from './routes/site-pages.ts'
import { addWebhooks } from './routes/webhooks.ts'
import type { ServerParts } from './server-parts.ts'
import { tellChanges } from './tell-changes.ts'

export type DocentServer = OpenAPIHono<AppEnv>

/** The HTTP edge: every route, and before each the checks that no route may forget. */
export function createServer(parts: ServerParts): DocentServer {
  const app: DocentServer = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(readErrorDetails(result.error))
    },
  })
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

/** Paths for admin keys whose bodies may need more than `requestBytesMax`. */
const largeBodies: Readonly<Record<string, number>> = {
  '/v2/agent/*': jobBytesMax,
  '/admin/v1/insights/gaps/:id/job': jobBytesMax,
  '/admin/v1/sites/:id/playground': messageBytesMax,
  '/admin/v1/automations/*': longTextBytesMax,
  '/admin/v1/pull-requests/*': longTextBytesMax,
  '/admin/v1/keys/*': longTextBytesMax,
}

function addRoutes(app: DocentServer, parts: ServerParts): void {
  // The key comes before the body, so that nobody without one makes us read four megabytes.
  for (const version of ['v1', 'v2'] as const) {
    const path = `/discovery/${version}/assistant/:domain/message`
    app.post(path, ...acceptReader(parts, 'answer', { bytesMax: messageBytesMax, version }))
  }
  for (const resource of ['search', 'page']) {
    const path = `/discovery/v1/${resource}/:domain`
    app.post(path, ...acceptReader(parts, 'search', { bytesMax: requestBytesMax }))
  }
  for (const path of ['/admin/v1/*', '/v2/agent/*']) app.use(path, tellChanges(parts))
  for (const path of ['/admin/v1/*', '/v2/agent/*']) app.use(path, requireAdmin(parts))
  for (const [path, bytesMax] of Object.entries(largeBodies)) app.use(path, requireJsonBody(parts, bytesMax))
  app.use('/admin/v1/*', requireJsonBody(parts, requestBytesMax))
  addHealth(app, parts)
  addAssets(app)
  addDashboard(app, parts)
  addAssistantV1(app, parts)
  addAssistantV2(app, parts)
  addResume(app, parts)
  addReaderSession(app, parts)
  addFeedbackV2(app, parts)
  addSearchV1(app, parts)
  addPageV1(app, parts)
  addSitePages(app, parts)
  addAdminProjects(app, parts)
  addAdminSites(app, parts)
  addAdminSourceChecks(app, parts)
  addAdminContextRepositories(app, parts)
  addAdminAutomations(app, parts)
  addAdminCodeHostApps(app, parts)
  addGithubAppPages(app, parts)
  addAdminSettings(app, parts)
  addAdminThreads(app, parts)
  addAdminFeedback(app, parts)
  addAdminKeys(app, parts)
  addAdminMembers(app, parts)
  addAdminInvitations(app, parts)
  addAdminAuditLog(app, parts)
  addAdminWebhooks(app, parts)
  addWebhooks(app, parts)
  addAdminUsage(app, parts)
  addAdminInsights(app, parts)
  addAdminGaps(app, parts)
  addAdminEvents(app, parts)
  addAdminOperations(app, parts)
  addAdminPlayground(app, parts)
  addAdminExplainSearch(app, parts)
  addAdminPullRequests(app, parts)
  addAdminRepositories(app, parts)
  addGitHttp(app, parts)
  addAuth(app, parts)
  addAuthOidc(app, parts)
  addAuthLink(app, parts)
  addSignIn(app)
  addPullRequestPages(app, parts)
  addAgentJobs(app, parts)
  addAdminAgentJobs(app, parts)
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
