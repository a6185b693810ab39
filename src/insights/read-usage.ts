import type { LimitUsage } from '../contract/usage.ts'
import { listProjects } from '../store/accounts/projects.ts'
import { readCounts } from '../store/counts/read-counters.ts'
import { listSites, type Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { microPerUsd } from '../store/counts/day-budget.ts'

/** The current window of a rate limit. */
export interface UsageWindow {
  /** UTC milliseconds. */
  startsAt: number
  endsAt: number
}

export interface ReadUsageDeps {
  store: Store
  organization: { id: string; name: string }
  windows: { hour: UsageWindow; day: UsageWindow }
  limits: { organizationPerHour: number; searchPerHour: number; jobsPerHour: number }
  /** Daily limit of a site in US dollars; null if unlimited. */
  readCeiling(site: Site): number | null
}

/** More than one page of the dashboard shows. */
const subjectsMax = 200

/** How much of each limit of an organization is used: its own, those of its projects, and the costs of its sites. */
export async function readLimitUsage(deps: ReadUsageDeps): Promise<LimitUsage[]> {
  const [requests, jobs, costs] = await Promise.all([readRequestLimits(deps), readJobLimits(deps), readCosts(deps)])
  return [...requests, ...jobs, ...costs]
}

async function readRequestLimits({ store, organization, windows, limits }: ReadUsageDeps): Promise<LimitUsage[]> {
  const { startsAt, endsAt } = windows.hour
  const named = [
    { name: 'org', max: limits.organizationPerHour },
    { name: 'search', max: limits.searchPerHour },
    { name: 'feedback', max: limits.searchPerHour },
  ] as const
  return Promise.all(
    named.map(async ({ name, max }) => {
      const request = { name, windowStart: startsAt, subjects: [organization.id] }
      const used = (await readCounts(store.relaxed, request)).get(organization.id) ?? 0
      const subject = { kind: 'organization' as const, ...organization }
      return { name, subject, window: 'hour', unit: 'requests', used, max, resetsAt: new Date(endsAt).toISOString() }
    }),
  )
}

async function readJobLimits({ store, organization, windows, limits }: ReadUsageDeps): Promise<LimitUsage[]> {
  const { startsAt, endsAt } = windows.hour
  const organizationId = organization.id
  const { items } = await listProjects(store.durable, { organizationId, limit: subjectsMax })
  const subjects = items.map(({ id }) => id)
  const counts = await readCounts(store.relaxed, { name: 'jobs', windowStart: startsAt, subjects })
  return items.map(({ id, name }) => ({
    name: 'jobs',
    subject: { kind: 'project', id, name },
    window: 'hour',
    unit: 'requests',
    used: counts.get(id) ?? 0,
    max: limits.jobsPerHour,
    resetsAt: new Date(endsAt).toISOString(),
  }))
}

/** Only sites with a cost limit; nothing is counted for the others. */
async function readCosts({ store, organization, windows, readCeiling }: ReadUsageDeps): Promise<LimitUsage[]> {
  const { startsAt, endsAt } = windows.day
  const { items } = await listSites(store.durable, { organizationId: organization.id, limit: subjectsMax })
  const limited = items.flatMap((site) => {
    const max = readCeiling(site)
    return max === null ? [] : [{ site, max }]
  })
  const subjects = limited.map(({ site }) => site.id)
  const counts = await readCounts(store.relaxed, { name: 'site-cost', windowStart: startsAt, subjects })
  return limited.map(({ site, max }) => ({
    name: 'site-cost',
    subject: { kind: 'site', id: site.id, name: site.name },
    window: 'day',
    unit: 'usd',
    used: (counts.get(site.id) ?? 0) / microPerUsd,
    max,
    resetsAt: new Date(endsAt).toISOString(),
  }))
}
