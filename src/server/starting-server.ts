import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv, DocentServer } from './app-env.ts'
import { Lifecycle } from './lifecycle.ts'
import { retryAfterSeconds } from './replies/error-response.ts'
import { cors, requestContext, sendError } from './requests/request-context.ts'
import type { ServerDeps } from './server-deps.ts'

/** Serves while the database is opened and migrated, so that probes and clients do not hang until then. */
export function createStartingServer(deps: Pick<ServerDeps, 'clock' | 'ids' | 'log' | 'trustedProxies'>): DocentServer {
  const app: DocentServer = new OpenAPIHono<AppEnv>()
  const lifecycle = new Lifecycle()
  app.use(requestContext(deps))
  app.use('/discovery/*', cors)
  app.get('/healthz', (c) => c.json({ status: 'ok' }, 200))
  app.get('/readyz', (c) => {
    c.header('Retry-After', String(retryAfterSeconds.starting))
    return c.json({ status: 'not_ready', reasons: ['The server is starting.'] }, 503)
  })
  app.all('*', () => lifecycle.requireServing() as never) // Always throws: the lifecycle is still `starting`.
  app.onError((error, c) => sendError(error, c))
  return app
}
