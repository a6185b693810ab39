import { createRoute } from '@hono/zod-openapi'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { countStream } from '../count-stream.ts'
import type { DocentServer } from '../create-server.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'
import { requireSocket } from '../stream-request.ts'
import { startCountdown } from '../streams/countdown.ts'
import { writeDashboardEvents } from '../streams/write-dashboard-events.ts'

const eventsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/events',
  tags: ['Operations'],
  security: [{ adminKey: [] }],
  summary: 'Follow what changes',
  description:
    'Server-sent events for those who show sites, syncs, jobs, keys and conversations: `{ "type": "site-changed", "id": "…" }`, and so on, with ids alone. `everything-changed` comes first, and whenever events may have been missed: read again what is shown. Ends after ten minutes; come back then.',
  responses: {
    200: { description: 'The events.', content: { 'text/event-stream': { schema: z.string() } } },
    ...errorResponses(401, 403, 429, 503),
  },
})

/** Whether the one who listens still may is asked again when they come back. */
const streamMsMax = 10 * 60_000
/** Of one organization in one process. */
const listenersMax = 200

export function addAdminEvents(app: DocentServer, parts: ServerParts): void {
  const { dashboardEvents, lifecycle } = parts
  app.openAPIRegistry.registerPath(eventsRoute)
  app.get('/admin/v1/events', async (c) => {
    const organizationId = c.get('organizationId')
    if (dashboardEvents.countListeners(organizationId) >= listenersMax) throw tooManyListeners()
    const timeUp = new AbortController()
    const timer = setTimeout(() => timeUp.abort(), streamMsMax)
    const response = requireSocket(c)
    await countStream(parts, 'dashboard', () =>
      writeDashboardEvents(response, {
        headers: { 'X-Request-Id': c.get('requestId') },
        subscribe: (listener) => dashboardEvents.subscribe(organizationId, listener),
        startCountdown,
        signal: AbortSignal.any([timeUp.signal, lifecycle.drainBegins]),
      }),
    )
    clearTimeout(timer)
    return RESPONSE_ALREADY_SENT
  })
}

function tooManyListeners(): AppError {
  return new AppError(
    'limit_reached',
    `At most ${listenersMax} clients follow at once. Close some, or try again later.`,
    {
      headers: { 'Retry-After': '30' },
    },
  )
}
