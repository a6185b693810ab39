import { countJobs } from '../../access/limits/count-jobs.ts'
import { startDiscrepancyJob } from '../../agent/jobs/start-discrepancy-job.ts'
import { AppError } from '../../contract/app-error.ts'
import type { discrepancyOperations } from '../../contract/operations/discrepancies.ts'
import {
  type Discrepancy,
  getDiscrepancy,
  listDiscrepancies,
  updateDiscrepancy,
} from '../../store/discrepancies/discrepancies.ts'
import { linkDiscrepancies } from '../../sites/drift/link-discrepancy.ts'
import { getSite, type Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Handlers of what became false in the documentation. */
export function createDiscrepancyHandlers(deps: ServerDeps): Handlers<typeof discrepancyOperations> {
  const db = deps.store.durable
  const toReply = async (site: Site, discrepancy: Discrepancy) =>
    (await toResources(deps, [site], [discrepancy]))[0] ?? toResource(discrepancy)

  return {
    listAllDiscrepancies: async ({ c, query }) => {
      const organizationId = c.get('organizationId')
      const { items, nextCursor } = await listDiscrepancies(db, { ...query, of: { organizationId } })
      const sites = await Promise.all([...new Set(items.map(({ siteId }) => siteId))].map((id) => getSite(db, id)))
      const found = sites.filter((site) => site !== null)
      return { items: await toResources(deps, found, items), nextCursor }
    },

    listDiscrepancies: async ({ query, site }) => {
      const { items, nextCursor } = await listDiscrepancies(db, { ...query, of: { siteId: site.id } })
      return { items: await toResources(deps, [site], items), nextCursor }
    },

    updateDiscrepancy: async ({ c, params, body: { state } }) => {
      const { discrepancy, site } = await requireDiscrepancy(c, deps, params.id)
      requireNotClosed(discrepancy)
      const updated = await updateDiscrepancy(db, discrepancy.id, { state, updatedAt: deps.clock.now() })
      if (updated === null) throw missingDiscrepancy(discrepancy.id)
      deps.sites.forget()
      return { reply: await toReply(site, updated), audit: { target: targetOf(discrepancy) } }
    },

    createDiscrepancyJob: async ({ c, params }) => {
      const { discrepancy, site } = await requireDiscrepancy(c, deps, params.id)
      requireNotClosed(discrepancy)
      const count = countJobs(deps, deps.limits.jobsPerHour)(site.projectId)
      const input = { site, discrepancy, isRuled: false, count }
      const job = await startDiscrepancyJob(deps.agent, input, c.req.raw.signal)
      const reply = await toReply(site, { ...discrepancy, jobId: job.id })
      return { reply, audit: { target: { kind: 'job', id: job.id, name: job.title } } }
    },
  }
}

async function toResources(
  deps: Pick<ServerDeps, 'store' | 'baseUrl'>,
  sites: readonly Site[],
  discrepancies: readonly Discrepancy[],
) {
  const linked = await Promise.all(
    sites.map((site) =>
      linkDiscrepancies(
        deps,
        site,
        discrepancies.filter(({ siteId }) => siteId === site.id),
      ),
    ),
  )
  const byId = new Map(linked.flat().map((discrepancy) => [discrepancy.id, discrepancy]))
  return discrepancies.map((discrepancy) => toResource(byId.get(discrepancy.id) ?? discrepancy))
}

/** @throws {AppError} `not_found`, also for a discrepancy of another organization. */
async function requireDiscrepancy(
  c: AppContext,
  deps: ServerDeps,
  id: string,
): Promise<{ discrepancy: Discrepancy; site: Site }> {
  const discrepancy = await getDiscrepancy(deps.store.durable, id)
  const site = discrepancy === null ? null : await findOwnSite(c, deps, discrepancy.siteId).catch(() => null)
  if (discrepancy === null || site === null) throw missingDiscrepancy(id)
  return { discrepancy, site }
}

function requireNotClosed({ state }: Discrepancy): void {
  if (state !== 'closed') return
  throw new AppError('conflict', 'The discrepancy is closed: what it was about has changed. Reload the list.')
}

function missingDiscrepancy(id: string): AppError {
  return new AppError('not_found', `There is no discrepancy ${id.slice(0, 200)}. List the discrepancies of the site.`)
}

function targetOf({ id, subject }: Discrepancy) {
  return { kind: 'discrepancy', id, name: subject }
}

function toResource({ details, ...discrepancy }: Discrepancy) {
  return { ...discrepancy, ...details }
}
