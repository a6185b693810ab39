import type { homeOperations } from '../../contract/operations/home.ts'
import { listNeeds } from '../../insights/home/list-needs.ts'
import { summarizeSites } from '../../insights/home/summarize-sites.ts'
import { listSites } from '../../store/sites/sites.ts'
import { dayMs } from '../../base/durations.ts'
import { listKeyUses, listLimits } from '../resources/usage.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

const sitesMax = 100
const keysMax = 200

export function createHomeHandlers(deps: ServerDeps): Handlers<typeof homeOperations> {
  const { store, clock, operations, baseUrl } = deps

  return {
    getHome: async ({ c, query: { days } }) => {
      const organizationId = c.get('organizationId')
      const now = clock.now()
      const [{ items: sites }, health, limits, keys] = await Promise.all([
        listSites(store.durable, { organizationId, limit: sitesMax }),
        operations.health.read(organizationId),
        listLimits(deps, organizationId),
        listKeyUses(deps, { organizationId, limit: keysMax }),
      ])
      const usable = keys.items.filter(({ revokedAt }) => revokedAt === null)
      const input = { store, organizationId, now, baseUrl, sites, health: health.parts, limits, keys: usable }
      // An answer of this very millisecond counts.
      const period = { organizationId, siteIds: sites.map(({ id }) => id), days, to: now + 1 }
      const [needs, activities] = await Promise.all([listNeeds(input), summarizeSites(store, period)])
      return { needs, from: now - days * dayMs, to: now, sites: activities }
    },
  }
}
