import { AppError } from '../contract/app-error.ts'
import type { Clock } from '../base/clock.ts'
import type { CountJob } from '../store/agent/agent-jobs.ts'
import { startGapJob } from '../store/answers/gaps.ts'

/**
 * Links a gap to its job in the transaction that creates the job, so that neither exists without the other.
 *
 * @param isRuled Whether a rule starts it, which only open gaps allow.
 */
export function linkGap({ clock }: { clock: Clock }, gapId: string, count: CountJob, isRuled = false): CountJob {
  return async (transaction, job) => {
    await count(transaction, job)
    const now = clock.now()
    if (await startGapJob(transaction, gapId, { jobId: job.id, ruledAt: isRuled ? now : null, now })) return
    throw new AppError('conflict', 'The gap was removed or has a job already. Reload the list.')
  }
}
