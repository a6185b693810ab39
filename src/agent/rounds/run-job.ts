import type { CodeHost } from '../../codehost/code-host.ts'
import { AppError } from '../../contract/app-error.ts'
import { getSite } from '../../store/sites.ts'
import type { AgentJob } from '../../store/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { runInSpan } from '../../telemetry/work-context.ts'
import { deliverChange } from '../change/deliver-change.ts'
import { beginRound, type JobPlace, openWorkspace } from './job-workspace.ts'
import { JobRound } from './job-round.ts'
import { workOnRound } from './work-on-round.ts'

/**
 * Works on a claimed job to the end of its round, from its last checkpoint on: lets the model work, turns what it did
 * into a commit, pushes that and opens the pull request. Every step is recorded while the claim is held, and doing it
 * again after a crash does nothing twice.
 *
 * @throws {LeaseLostError} when somebody else has the job; {AppError} for what its owner can mend; the reason of the
 *   signal when that aborts.
 */
export async function runJob(deps: AgentDeps, job: AgentJob, signal: AbortSignal): Promise<void> {
  const place = await findPlace(deps, job)
  const round =
    (await JobRound.resume(deps, job)) ?? (await JobRound.begin(deps, job, await beginRound(deps, place, signal)))
  for (;;) {
    const workspace = await openWorkspace(deps, place, round.checkpoint, signal)
    try {
      const work = { round, place, workspace }
      if (!round.isOver) await runInSpan('work on round', {}, () => workOnRound(deps, work, signal))
      const { outcome, delivered } = await runInSpan('deliver change', {}, () => deliverChange(deps, work, signal))
      if (outcome === 'finished') return
      await round.reopen(delivered)
    } finally {
      await workspace.close()
    }
  }
}

async function findPlace(deps: AgentDeps, job: AgentJob): Promise<JobPlace> {
  const site = await getSite(deps.store.durable, job.siteId)
  const host: CodeHost | null = site === null ? null : await deps.openHost(site)
  if (site !== null && host !== null) return { job, site, host }
  throw new AppError(
    'no_repository',
    'The site of this job is not built from a repository that takes pull requests any more. Connect one and create a new job.',
  )
}
