import type { PullRequest } from '../../codehost/code-host.ts'
import {
  type AgentJob,
  type AgentJobPullRequest,
  listAgentJobsOfPullRequest,
  setAgentJobPullRequest,
} from '../../store/agent/agent-jobs.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { findSiteHost } from './job-source.ts'

/** The fields of a pull request that a job stores. */
export function toJobPullRequest({ id, url, state, isDraft }: PullRequest): AgentJobPullRequest {
  return { id, url, state, isDraft }
}

/** Asks the host for the job's pull request. @returns Null if it has none. @throws {AppError} from the host. */
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

/** Updates the job's pull request from its host. @returns The same job if nothing changed. @throws {AppError} */
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

/** @throws {AppError} from the host. */
export async function refreshJobsOfPullRequest(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'openHost'>,
  { site, number }: { site: Site; number: number },
  signal: AbortSignal,
): Promise<void> {
  const jobs = await listAgentJobsOfPullRequest(deps.store.durable, { siteId: site.id, number })
  for (const job of jobs) await refreshJob(deps, job, signal)
}
