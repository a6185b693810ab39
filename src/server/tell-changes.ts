import type { MiddlewareHandler } from 'hono/types'
import { z } from 'zod'
import type { DashboardChange } from '../contract/dashboard-event.ts'
import type { AppContext, AppEnv } from './app-env.ts'
import type { ServerParts } from './server-parts.ts'

const reading = /^(?:GET|HEAD|OPTIONS)$/

/** What a path changes, by its beginning. */
const changes: readonly { path: RegExp; type: DashboardChange['type'] }[] = [
  { path: /^\/admin\/v1\/sites\/[^/]+\/sync$/, type: 'sync-changed' },
  // Playground, search and conversations change nothing of the site itself.
  {
    path: /^\/admin\/v1\/(?:sites|projects)(?:\/([^/]+))?(?!.*\/(?:playground|explain-search|threads)\b)/,
    type: 'site-changed',
  },
  { path: /^\/admin\/v1\/keys(?:\/([^/]+))?/, type: 'key-changed' },
  { path: /^\/v2\/agent\/[^/]+\/job(?:\/([^/]+))?/, type: 'job-changed' },
]

const namedSchema = z.object({ id: z.string().exactOptional(), siteId: z.string().nullish() })

/** Tells dashboards what a request has changed, once it has. Told by the path, so that no route can forget it. */
export function tellChanges({ dashboardEvents }: Pick<ServerParts, 'dashboardEvents'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next()
    if (reading.test(c.req.method) || !c.res.ok) return
    const found = changes.find(({ path }) => path.test(c.req.path))
    if (found === undefined) return
    const { id, siteId } = await readNames(c)
    const inPath = found.path.exec(c.req.path)?.[1]
    const change: DashboardChange = { type: found.type, id: id ?? decodeName(inPath) }
    if (siteId) change.siteId = siteId
    dashboardEvents.publish(c.get('organizationId'), change)
  }
}

/** The ids in the reply; a reply that is no JSON, as after a deletion, has none. */
async function readNames(c: AppContext): Promise<z.output<typeof namedSchema>> {
  if (!/^application\/json\b/.test(c.res.headers.get('content-type') ?? '')) return {}
  const named = namedSchema.safeParse(await c.res.clone().json())
  return named.success ? named.data : {}
}

function decodeName(name: string | undefined): string {
  try {
    return decodeURIComponent(name ?? '')
  } catch {
    return ''
  }
}
