import { z } from 'zod'
import type { DashboardChange } from '../../contract/dashboard-event.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

const namedSchema = z.object({ id: z.string().exactOptional(), siteId: z.string().nullish() })

/**
 * Notifies dashboards of a change made by a request.
 *
 * @param reply Its id identifies the changed object; if it has none, the id in the path does.
 */
export function announceChange(
  c: AppContext,
  { dashboardEvents }: Pick<ServerDeps, 'dashboardEvents'>,
  type: DashboardChange['type'],
  reply: unknown,
): void {
  const { id, siteId } = namedSchema.safeParse(reply).data ?? {}
  const change: DashboardChange = { type, id: id ?? c.req.param('id') ?? '' }
  if (siteId) change.siteId = siteId
  dashboardEvents.publish(c.get('organizationId'), change)
}
