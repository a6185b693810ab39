import { statfs } from 'node:fs/promises'
import { type Ceiling, chooseCeiling, readSiteSettings } from '../contract/site-settings.ts'
import { sumAgentJobUsage } from '../store/agent/agent-jobs.ts'
import { listBusyProjects, listSiteSpendings, readSiteFacts } from '../store/facts/metric-facts.ts'
import { readQueueDepths } from '../store/facts/queue-depths.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { GaugeReading } from '../telemetry/prometheus-metrics.ts'
import { dayMs } from '../base/durations.ts'
import { microPerUsd } from '../store/counts/day-budget.ts'

export interface GaugeDeps extends StoreDeps {
  dataFolder: string
  /** Whether the process accepts requests. */
  isServing(): boolean
  /** Daily limit per site in US dollars (UTC day), unless the site has its own. */
  siteCostUsdMax: Ceiling
  /** Daily limit for all jobs of a project in US dollars (UTC day). */
  projectDayUsd: number
}

/** Each site becomes a label. */
const sitesMax = 50
/** The top spenders. More than one, because a site may be close to a low limit of its own. */
const spendersMax = 200
const projectsMax = 100

/** Reads the gauges that are computed on scrape. Only uses indexed rows and no texts. */
export async function readGauges(deps: GaugeDeps): Promise<GaugeReading[]> {
  const isUp = await deps.store.ping().then(
    () => true,
    () => false,
  )
  const parts = [readDisk(deps), readPools(deps)]
  if (isUp) parts.push(readQueues(deps), readSites(deps), readSpending(deps))
  const ready: GaugeReading = { name: 'docent_ready', labels: {}, value: isUp && deps.isServing() ? 1 : 0 }
  return [ready, ...(await Promise.all(parts)).flat()]
}

async function readDisk({ dataFolder }: GaugeDeps): Promise<GaugeReading[]> {
  const { bavail, blocks, bsize } = await statfs(dataFolder)
  return [
    { name: 'docent_disk_free_bytes', labels: {}, value: bavail * bsize },
    { name: 'docent_disk_size_bytes', labels: {}, value: blocks * bsize },
  ]
}

async function readPools({ store }: GaugeDeps): Promise<GaugeReading[]> {
  const pools = store.readPools?.() ?? []
  return pools.flatMap(({ pool, used, idle, waiting }): GaugeReading[] => [
    { name: 'docent_database_connections', labels: { pool, state: 'used' }, value: used },
    { name: 'docent_database_connections', labels: { pool, state: 'idle' }, value: idle },
    { name: 'docent_database_connections', labels: { pool, state: 'waited-for' }, value: waiting },
  ])
}

async function readQueues({ store, clock }: GaugeDeps): Promise<GaugeReading[]> {
  const now = clock.now()
  const queues = await readQueueDepths(store.durable, { now })
  return queues.flatMap(({ name: queue, waiting, running, oldestAt }): GaugeReading[] => [
    { name: 'docent_queue_waiting', labels: { queue }, value: waiting },
    { name: 'docent_queue_running', labels: { queue }, value: running },
    {
      name: 'docent_queue_oldest_seconds',
      labels: { queue },
      value: oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1_000,
    },
  ])
}

async function readSites({ store, clock }: GaugeDeps): Promise<GaugeReading[]> {
  const now = clock.now()
  const { sites, failing, withoutIndex, largest } = await readSiteFacts(store.durable, sitesMax)
  return [
    { name: 'docent_sites', labels: {}, value: sites },
    { name: 'docent_sites_failing', labels: {}, value: failing },
    { name: 'docent_sites_without_index', labels: {}, value: withoutIndex },
    ...largest.flatMap(({ slug: site, number, pageCount, createdAt }): GaugeReading[] => [
      { name: 'docent_site_pages', labels: { site }, value: pageCount },
      { name: 'docent_site_generation', labels: { site }, value: number },
      {
        name: 'docent_site_generation_age_seconds',
        labels: { site },
        value: Math.max(0, now - createdAt) / 1_000,
      },
    ]),
  ]
}

async function readSpending(deps: GaugeDeps): Promise<GaugeReading[]> {
  const { store, clock } = deps
  const dayStart = Math.floor(clock.now() / dayMs) * dayMs
  const spendings = await listSiteSpendings(store.relaxed, { windowStart: dayStart, limit: spendersMax })
  const ofSites = spendings.map(({ microUsd, settings }) => shareOfSite(deps, microUsd / microPerUsd, settings))
  const projects = await listBusyProjects(store.durable, { since: dayStart, limit: projectsMax })
  const ofProjects = await Promise.all(
    projects.map(async (projectId) => {
      const { costUsd } = await sumAgentJobUsage(store.durable, { projectId, since: dayStart })
      return costUsd / deps.projectDayUsd
    }),
  )
  return [
    { name: 'docent_spending_ratio', labels: { scope: 'site' }, value: Math.max(0, ...ofSites) },
    { name: 'docent_spending_ratio', labels: { scope: 'project' }, value: Math.max(0, ...ofProjects) },
  ]
}

function shareOfSite({ siteCostUsdMax }: GaugeDeps, usd: number, settings: Readonly<Record<string, unknown>>): number {
  const { dailyCostUsdMax } = readSiteSettings(settings)
  const usdMax = chooseCeiling(dailyCostUsdMax, siteCostUsdMax)
  return usdMax === null || usdMax <= 0 ? 0 : usd / usdMax
}
