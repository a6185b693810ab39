import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { createOwnerLink, ownerLinkUrl } from '../../access/sign-in/sign-in.ts'
import { AppError } from '../../contract/app-error.ts'
import type { monitoringOperations } from '../../contract/operations/service.ts'
import { readQueueDepths } from '../../store/facts/queue-depths.ts'
import { hourMs } from '../../base/durations.ts'
import type { AppContext } from '../app-env.ts'
import { countStream } from '../replies/count-stream.ts'
import { apiVersion } from '../openapi.ts'
import { localOrganizationId } from '../requests/require-admin.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { requireSocket } from '../streams/stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import { writeDashboardEvents } from '../streams/write-dashboard-events.ts'

/** Permission to listen is rechecked when the client reconnects. */
const streamMsMax = 10 * 60_000
/** Per organization and process. */
const listenersMax = 200

export function createServiceHandlers(deps: ServerDeps): Handlers<typeof monitoringOperations> {
  const { store, clock, operations } = deps

  return {
    followChanges: ({ c }) => streamChanges(c, deps),

    getHealth: ({ c }) => operations.health.read(c.get('organizationId')),

    listQueues: async ({ c }) => {
      const items = await readQueueDepths(store.durable, { organizationId: c.get('organizationId'), now: clock.now() })
      return { items, nextCursor: null }
    },

    listErrorCounts: async ({ c, query }) => {
      const organizationId = c.get('organizationId')
      const thisHour = Math.floor(clock.now() / hourMs) * hourMs
      const since = thisHour - (query.hours - 1) * hourMs
      const withInstallation = organizationId === localOrganizationId
      const counts = await operations.errors.list({ organizationId, withInstallation, since })
      const items = counts.map(({ code, hourAt, count }) => ({ code, hour: hourAt, count }))
      return { items, nextCursor: null }
    },

    getBuildInfo: () => ({
      version: apiVersion,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      database: store.dialect,
      startedAt: operations.startedAt,
      memoryBytes: process.memoryUsage.rss(),
    }),

    createOwnerLink: async ({ c }) => {
      const { token, expiresAt } = await createOwnerLink(deps, c.get('organizationId'))
      return { reply: { url: ownerLinkUrl(deps.baseUrl, token), expiresAt }, audit: {} }
    },
  }
}

async function streamChanges(c: AppContext, deps: ServerDeps): Promise<Response> {
  const { dashboardEvents, lifecycle } = deps
  const organizationId = c.get('organizationId')
  if (dashboardEvents.countListeners(organizationId) >= listenersMax) throw tooManyListeners()
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(), streamMsMax)
  const response = requireSocket(c)
  await countStream(deps, 'dashboard', () =>
    writeDashboardEvents(response, {
      headers: { 'X-Request-Id': c.get('requestId') },
      subscribe: (listener) => dashboardEvents.subscribe(organizationId, listener),
      startCountdown,
      signal: AbortSignal.any([timeUp.signal, lifecycle.drainBegins]),
    }),
  )
  clearTimeout(timer)
  return RESPONSE_ALREADY_SENT
}

function tooManyListeners(): AppError {
  const message = `At most ${listenersMax} clients can follow changes at the same time. Close some, or try again later.`
  return new AppError('limit_reached', message, { headers: { 'Retry-After': '30' } })
}
