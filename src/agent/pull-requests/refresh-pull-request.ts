import { listAgentJobsOfPullRequest, setAgentJobPullRequest } from '../../store/agent-jobs.ts'
import type { Site } from '../../store/sites.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { refreshPullRequest } from '../jobs/follow-up-job.ts'

/**
 * Has the jobs of a pull request know what became of it, as its host says.
 *
 * @returns How many jobs there are.
 * @throws {AppError} what the host throws.
 */
export async function refreshJobsOfPullRequest(
  deps: Pick<AgentRequestDeps, 'store' | 'clock' | 'openHost'>,
  { site, number }: { site: Site; number: number },
  signal: AbortSignal,
): Promise<number> {
  const jobs = await listAgentJobsOfPullRequest(deps.store.durable, { siteId: site.id, number })
  for (const job of jobs) {
    const pullRequest = await refreshPullRequest(deps, job, signal)
    if (pullRequest === null) continue
    await setAgentJobPullRequest(deps.store.durable, { id: job.id, pullRequest, now: deps.clock.now() })
  }
  return jobs.length
}
