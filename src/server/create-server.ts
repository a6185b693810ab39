import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from './app-env.ts'
import { createMissingRoute } from './method-not-allowed.ts'
import { serveOpenApi } from './openapi.ts'
import { invalidRequest, jobBytesMax, messageBytesMax, requestBytesMax, requireJsonBody } from './read-json.ts'
import { requireReader } from './reader-request.ts'
import { requireAdmin } from './require-admin.ts'
import { cors, requestContext, sendError } from './request-context.ts'
import { addAdminFeedback } from './routes/admin-feedback-v1.ts'
import { addAdminKeys } from './routes/admin-keys-v1.ts'
import { addAdminProjects } from './routes/admin-projects-v1.ts'
import { addAdminSettings } from './routes/admin-settings-v1.ts'
import { addAdminPullRequests } from './routes/admin-pull-requests-v1.ts'
import { addAdminRepositories } from './routes/admin-repositories-v1.ts'
import { addAdminSites } from './routes/admin-sites-v1.ts'
import { addAdminThreads } from './routes/admin-threads-v1.ts'
import { addAgentJobs } from './routes/agent-jobs-v2.ts'
import { addAssistantV1 } from './routes/assistant-v1.ts'
import { addAssistantV2 } from './routes/assistant-v2.ts'
import { addAssets } from './routes/assets.ts'
import { addFeedbackV2 } from './routes/feedback-v2.ts'
import { addGitHttp } from './routes/git-http.ts'
import { addHealth } from './routes/health.ts'
import { addPageV1 } from './routes/page-v1.ts'
import { addPullRequestPages } from './routes/pull-request-pages.ts'
import { addResume } from './routes/resume.ts'
import { addSearchV1 } from './routes/search-v1.ts'
import { addSignIn } from './routes/sign-in.ts'
import { addSitePages } from './routes/site-pages.ts'
import type { ServerParts } from './server-parts.ts'

export type DocentServer = OpenAPIHono<AppEnv>

/** The HTTP edge: every route, and before each the checks that no route may forget. */
export function createServer(parts: ServerParts): DocentServer {
  const app: DocentServer = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidRequest(readIssues(result.error.issues))
    },
  })
  app.use(requestContext(parts))
  app.use('/discovery/*', cors)
  app.use(async (c, next) => {
    if (!isAlwaysServed(c.req.path)) parts.lifecycle.requireServing()
    return next()
  })
  addRoutes(app, parts)
  serveOpenApi(app, parts)
  const missingRoute = createMissingRoute(app.routes)
  app.notFound((c) => sendError(missingRoute(c.req.path), c))
  app.onError((error, c) => sendError(error, c))
  return app
}

function addRoutes(app: DocentServer, parts: ServerParts): void {
  // The key comes before the body, so that nobody without one makes us read four megabytes.
  for (const version of ['v1', 'v2']) {
    app.post(`/discovery/${version}/assistant/:domain/message`, requireReader(parts), requireJsonBody(messageBytesMax))
  }
  for (const resource of ['search', 'page']) {
    app.post(`/discovery/v1/${resource}/:domain`, requireReader(parts), requireJsonBody(requestBytesMax))
  }
  app.use('/admin/v1/*', requireAdmin(parts), requireJsonBody(requestBytesMax))
  app.use('/v2/agent/*', requireAdmin(parts), requireJsonBody(jobBytesMax))
  addHealth(app, parts)
  addAssets(app)
  addAssistantV1(app, parts)
  addAssistantV2(app, parts)
  addResume(app, parts)
  addFeedbackV2(app, parts)
  addSearchV1(app, parts)
  addPageV1(app, parts)
  addSitePages(app, parts)
  addAdminProjects(app, parts)
  addAdminSites(app, parts)
  addAdminSettings(app, parts)
  addAdminThreads(app, parts)
  addAdminFeedback(app, parts)
  addAdminKeys(app, parts)
  addAdminPullRequests(app, parts)
  addAdminRepositories(app, parts)
  addGitHttp(app, parts)
  addSignIn(app, parts)
  addPullRequestPages(app, parts)
  addAgentJobs(app, parts)
}

/** Probes must see the process while it starts and drains. */
function isAlwaysServed(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/openapi.json'
}

function readIssues(issues: readonly { path: PropertyKey[]; message: string }[]) {
  return issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}
