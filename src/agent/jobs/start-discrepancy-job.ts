import type { AgentJob, CountJob } from '../../store/agent/agent-jobs.ts'
import { agentJobCreateSchema } from '../../contract/agent-job.ts'
import { AppError } from '../../contract/app-error.ts'
import { type Discrepancy, linkDiscrepancyJob } from '../../store/discrepancies/discrepancies.ts'
import type { Site } from '../../store/sites/sites.ts'
import { createJob, type CreateJobDeps } from './create-job.ts'
import { draftDiscrepancyJob } from './draft-discrepancy-job.ts'

export interface DiscrepancyJobInput {
  site: Site
  discrepancy: Discrepancy
  /** Whether a rule starts it: as a draft, and only if there was none before. */
  isRuled: boolean
  count: CountJob
}

/**
 * Starts the job that corrects a discrepancy and links it in the transaction that creates it, so that neither exists
 * without the other.
 *
 * @throws {AppError} as `createJob` does; `conflict` if the discrepancy is no longer open, or a rule was too late.
 */
export async function startDiscrepancyJob(
  deps: CreateJobDeps,
  { site, discrepancy, isRuled, count }: DiscrepancyJobInput,
  signal: AbortSignal,
): Promise<AgentJob> {
  const prompt = draftDiscrepancyJob(discrepancy)
  const request = agentJobCreateSchema.parse({ prompt, site: site.id, draft: isRuled })
  const link: CountJob = async (transaction, job) => {
    await count(transaction, job)
    const linked = { id: discrepancy.id, jobId: job.id, isRuled, now: deps.clock.now() }
    if (await linkDiscrepancyJob(transaction, linked)) return
    throw new AppError('conflict', 'The finding was closed, or has a job already. Reload the list.')
  }
  return (await createJob(deps, { projectId: site.projectId, request, idempotencyKey: null, count: link }, signal)).job
}
