import { countJobs } from '../../access/limits/count-jobs.ts'
import { createJob } from '../../agent/jobs/create-job.ts'
import { draftDiscrepancyJob } from '../../agent/jobs/draft-discrepancy-job.ts'
import { agentJobCreateSchema } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import type { discrepancyOperations } from '../../contract/operations/discrepancies.ts'
import {
  type Discrepancy,
  getDiscrepancy,
  listDiscrepancies,
  updateDiscrepancy,
} from '../../store/discrepancies/discrepancies.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Handlers of what became false in the documentation. */
export function createDiscrepancyHandlers(deps: ServerDeps): Handlers<typeof discrepancyOperations> {
  const db = deps.store.durable
  const update = async (id: string, change: Partial<Pick<Discrepancy, 'state' | 'jobId'>>) => {
    const updated = await updateDiscrepancy(db, id, { ...change, updatedAt: deps.clock.now() })
    if (updated === null) throw missingDiscrepancy(id)
    deps.sites.forget()
    return toResource(updated)
  }

  return {
    listDiscrepancies: async ({ c, params, query }) => {
      const site = await findOwnSite(c, deps, params.id)
      const { items, nextCursor } = await listDiscrepancies(db, { ...query, siteId: site.id })
      return { items: items.map(toResource), nextCursor }
    },

    updateDiscrepancy: async ({ c, params, body: { state } }) => {
      const { discrepancy } = await requireDiscrepancy(c, deps, params.id)
      requireNotClosed(discrepancy)
      return { reply: await update(discrepancy.id, { state }), audit: { target: targetOf(discrepancy) } }
    },

    createDiscrepancyJob: async ({ c, params }) => {
      const { discrepancy, site } = await requireDiscrepancy(c, deps, params.id)
      requireNotClosed(discrepancy)
      const request = agentJobCreateSchema.parse({ prompt: draftDiscrepancyJob(discrepancy), site: site.id })
      const count = countJobs(deps, deps.limits.jobsPerHour)(site.projectId)
      const input = { projectId: site.projectId, request, idempotencyKey: null, count }
      const { job } = await createJob(deps.agent, input, c.req.raw.signal)
      const reply = await update(discrepancy.id, { jobId: job.id })
      return { reply, audit: { target: { kind: 'job', id: job.id, name: job.title } } }
    },
  }
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
