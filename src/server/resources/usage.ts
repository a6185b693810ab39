import { windowBounds } from '../../access/limits/limit-windows.ts'
import { chooseCeiling, readSiteSettings } from '../../contract/site-settings.ts'
import type { LimitUsage } from '../../contract/usage.ts'
import { readLimitUsage } from '../../insights/read-usage.ts'
import { listKeys } from '../../store/accounts/keys.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import { readCounts } from '../../store/counts/read-counters.ts'
import type { ServerDeps } from '../server-deps.ts'

export type UsageDeps = Pick<ServerDeps, 'store' | 'clock' | 'limits' | 'answers'>

/** What assistant keys have used in the current UTC month, newest key first. */
export async function listKeyUses(
  { store, clock, limits }: UsageDeps,
  request: { organizationId: string; limit: number; cursor?: string | undefined },
) {
  const { items, nextCursor } = await listKeys(store.durable, { ...request, kind: 'assistant' })
  const { startsAt, endsAt } = windowBounds('month', clock.now())
  const subjects = items.map(({ id }) => id)
  const counts = await readCounts(store.relaxed, { name: 'key', windowStart: startsAt, subjects })
  const uses = items.map(({ id, name, hint, siteId, lastUsedAt, revokedAt }) => ({
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
  return { items: uses, nextCursor }
}

/** How much of each limit of an organization is used. */
export async function listLimits(deps: UsageDeps, organizationId: string): Promise<LimitUsage[]> {
  const { store, limits, clock, answers } = deps
  const now = clock.now()
  const name = (await getOrganization(store.durable, organizationId))?.name ?? organizationId
  return readLimitUsage({
    store,
    limits,
    organization: { id: organizationId, name },
    windows: { hour: windowBounds('hour', now), day: windowBounds('day', now) },
    readCeiling: ({ settings }) => chooseCeiling(readSiteSettings(settings).dailyCostUsdMax, answers.siteCeilings.usd),
  })
}
