import { windowBounds } from '../../access/limits/limit-windows.ts'
import type { usageOperations } from '../../contract/operations/usage.ts'
import { chooseCeiling, readSiteSettings } from '../../contract/site-settings.ts'
import { readLimitUsage } from '../../insights/read-usage.ts'
import { listKeys } from '../../store/accounts/keys.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { readCounts } from '../../store/counts/read-counters.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

type UsageDeps = Pick<ServerDeps, 'store' | 'clock' | 'limits' | 'answers'>

export function createUsageHandlers(deps: UsageDeps): Handlers<typeof usageOperations> {
  const { store, clock, limits } = deps

  return {
    listKeyUsage: async ({ c, query }) => {
      const organizationId = c.get('organizationId')
      const request = { ...query, organizationId, kind: 'assistant' as const }
      const { items, nextCursor } = await listKeys(store.durable, request)
      const { startsAt, endsAt } = windowBounds('month', clock.now())
      const subjects = items.map(({ id }) => id)
      const counts = await readCounts(store.relaxed, { name: 'key', windowStart: startsAt, subjects })
      const usages = items.map(({ id, name, hint, siteId, lastUsedAt, revokedAt }) => ({
        id,
        name,
        hint,
        siteId,
        lastUsedAt,
        revokedAt,
        used: counts.get(id) ?? 0,
        max: limits.keyPerMonth,
        resetsAt: endsAt,
      }))
      return { items: usages, nextCursor }
    },

    listLimitUsage: async ({ c }) => {
      const id = c.get('organizationId')
      const now = clock.now()
      const items = await readLimitUsage({
        store,
        limits,
        organization: { id, name: (await getOrganization(store.durable, id))?.name ?? id },
        windows: { hour: windowBounds('hour', now), day: windowBounds('day', now) },
        readCeiling: ({ settings }) =>
          chooseCeiling(readSiteSettings(settings).dailyCostUsdMax, deps.answers.siteCeilings.usd),
      })
      return { items, nextCursor: null }
    },
  }
}
