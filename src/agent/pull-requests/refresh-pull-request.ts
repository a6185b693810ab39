import type { PullRequest } from '../../codehost/code-host.ts'
import {
  type AgentJob,
  type AgentJobPullRequest,
  listAgentJobsOfPullRequest,
  setAgentJobPullRequest,
} from '../../store/agent-jobs.ts'
import type { Site } from '../../store/sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { findSiteHost } from '../jobs/job-source.ts'

/** What a job keeps of its pull request. */
export function toJobPullRequest({ id, url, state, isDraft }: PullRequest): AgentJobPullRequest {
  return { id, url, state, isDraft }
}

/** The pull request of a job as its host has it now; null where the job has none. @throws {AppError} what the host throws. */
export async function refreshPullRequest(
  deps: Pick<AgentDeps, 'store' | 'openHost'>,
  job: Pick<AgentJob, 'siteId' | 'pullRequest'>,
  signal: AbortSignal,
): Promise<AgentJobPullRequest | null> {
  if (job.pullRequest === null) return null
  const source = await findSiteHost(deps, job.siteId)
  if (source === null) return job.pullRequest
  return toJobPullRequest(await source.host.readPullRequest(job.pullRequest.id, signal))
}

/** The job with its pull request as the host has it now, which is noted where it has changed. @throws {AppError} */
export async function refreshJob(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'openHost'>,
  job: AgentJob,
  signal: AbortSignal,
): Promise<AgentJob> {
  const before = job.pullRequest
  const pullRequest = await refreshPullRequest(deps, job, signal)
  const isChanged = pullRequest?.state !== before?.state || pullRequest?.isDraft !== before?.isDraft
  if (pullRequest === null || !isChanged) return job
  await setAgentJobPullRequest(deps.store.durable, { id: job.id, pullRequest, now: deps.clock.now() })
  return { ...job, pullRequest }
}

/** Refreshes the jobs of a pull request. @throws {AppError} what the host throws. */
export async function refreshJobsOfPullRequest(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'openHost'>,
  { site, number }: { site: Site; number: number },
  signal: AbortSignal,
): Promise<void> {
  const jobs = await listAgentJobsOfPullRequest(deps.store.durable, { siteId: site.id, number })
  for (const job of jobs) await refreshJob(deps, job, signal)
}
