import { AppError } from '../../contract/app-error.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import type { CountJob } from '../../store/agent/agent-jobs.ts'
import { countRuledDiscrepancies, listFixableDiscrepancies } from '../../store/discrepancies/discrepancies.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { Log } from '../../telemetry/log.ts'
import { dayMs } from '../../base/durations.ts'
import type { CreateJobDeps } from '../jobs/create-job.ts'
import { startDiscrepancyJob } from '../jobs/start-discrepancy-job.ts'

export interface DriftRuleDeps extends CreateJobDeps {
  log: Log
  /** Counts a job against the limits of its project. */
  countJob(projectId: string): CountJob
}

/** Starts draft jobs for certain renames, which need no model, where the site has a rule for it. */
export async function applyDriftRule(deps: DriftRuleDeps, siteId: string, signal: AbortSignal): Promise<void> {
  const { store, clock, log, countJob } = deps
  const site = await getSite(store.durable, siteId)
  const perDay = site === null ? 0 : readSiteSettings(site.settings).driftJobsPerDay
  if (site === null || perDay === 0) return
  const today = Math.floor(clock.now() / dayMs) * dayMs
  const left = perDay - (await countRuledDiscrepancies(store.durable, siteId, today))
  for (const discrepancy of await listFixableDiscrepancies(store.durable, siteId, Math.max(0, left))) {
    signal.throwIfAborted()
    try {
      const input = { site, discrepancy, isRuled: true, count: countJob(site.projectId) }
      const job = await startDiscrepancyJob(deps, input, signal)
      log.info({ discrepancyId: discrepancy.id, jobId: job.id }, 'drift-job-started-by-rule')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // Such as the limit of the project: the next check tries again.
      log.warn({ error, siteId }, 'drift-rule-failed')
      return
    }
  }
}
