import { AppError } from '../contract/app-error.ts'
import type { AgentJob } from '../store/agent/agent-jobs.ts'
import { runInSpan } from '../telemetry/work-context.ts'
import type { AgentDeps } from './agent-deps.ts'
import { deliverRound } from './change/deliver-round.ts'
import { findSiteHost } from './jobs/job-source.ts'
import { isOver, reopenRound } from './rounds/job-round.ts'
import { type JobPlace, openWorkspace } from './rounds/job-workspace.ts'
import { loadRound } from './rounds/load-round.ts'
import { updateRound } from './rounds/update-round.ts'
import { workOnRound } from './rounds/work-on-round.ts'

/**
 * Works on a claimed job to the end of its round: load → work → commit → push → open pull request → finish, resuming at
 * the last checkpoint. Every write is fenced by the claim, and repeating a stage after a crash does nothing twice.
 *
 * @throws {LeaseLostError} if another worker has the job; {AppError} for what its owner can fix; the reason of the
 *   signal if that aborts.
 */
export async function runJob(
  deps: Omit<AgentDeps, 'demoRepository' | 'wakeWorker'>,
  job: AgentJob,
  signal: AbortSignal,
): Promise<void> {
  const place = await findPlace(deps, job)
  let round = await loadRound(deps, place, signal)
  for (;;) {
    const workspace = await openWorkspace(deps, place, round.checkpoint, signal)
    try {
      const begun = { round, place, workspace }
      const worked = isOver(round)
        ? round
        : await runInSpan('work on round', {}, () => workOnRound(deps, begun, signal))
      const end = await runInSpan('deliver change', {}, () => deliverRound(deps, { ...begun, round: worked }, signal))
      if (end.outcome === 'finished') return
      round =
        end.outcome === 'outdated' && end.delivered !== null
          ? await updateRound(deps, { round: end.round, place, delivered: end.delivered }, signal)
          : await reopenRound(deps, end.round, end.delivered)
    } finally {
      await workspace.close()
    }
  }
}

async function findPlace(deps: Pick<AgentDeps, 'store' | 'openHost'>, job: AgentJob): Promise<JobPlace> {
  const source = await findSiteHost(deps, job.siteId)
  if (source !== null) return { job, ...source }
  throw new AppError(
    'no_repository',
    'The site of this job is not built from a repository that takes pull requests any more. Connect one and create a new job.',
  )
}
