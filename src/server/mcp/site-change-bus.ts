import type { ServerEventBus } from '@modelcontextprotocol/server'
import type { DashboardEvents } from '../../insights/dashboard-events.ts'

/**
 * Tells subscribers that the pages of a site may have changed, whichever process indexed it. Nothing is looked up while
 * nobody has subscribed.
 */
export function createSiteChangeBus(
  events: DashboardEvents,
  { id, organizationId }: { id: string; organizationId: string },
): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe: (listener) => {
      let hasBegun = false
      return events.subscribe(organizationId, (event) => {
        // The first event says only that the subscription has begun.
        const isChange =
          event.type === 'everything-changed' ? hasBegun : event.type === 'site-changed' && event.id === id
        hasBegun = true
        if (isChange) listener({ kind: 'resources_list_changed' })
      })
    },
  }
}
