import { refreshPullRequest } from '../agent/follow-up-job.ts'
import type { AgentJobResource } from '../contract/agent-job.ts'
import { AppError } from '../contract/app-error.ts'
import { type AgentJob, getAgentJob, setAgentJobPullRequest } from '../store/agent-jobs.ts'
import { getProject, type Project } from '../store/projects.ts'
import type { AppContext } from './app-env.ts'
import { toIsoTime } from './iso-time.ts'
import type { ServerParts } from './server-parts.ts'

/** A project of the organization that the request acts for. @throws {AppError} `not_found`. */
export async function findOwnProject(c: AppContext, { store }: ServerParts, id: string): Promise<Project> {
  const project = await getProject(store.durable, id)
  if (project !== null && project.organizationId === c.get('organizationId')) return project
  throw new AppError('not_found', `There is no project ${id.slice(0, 200)}. List them with GET /admin/v1/projects.`)
}

/** A job of a project of the organization. @throws {AppError} `not_found` for the project, `job_not_found`. */
export async function findOwnJob(
  c: AppContext,
  parts: ServerParts,
  path: { projectId: string; id: string },
): Promise<AgentJob> {
  const project = await findOwnProject(c, parts, path.projectId)
  const job = await getAgentJob(parts.store.durable, path.id)
  if (job?.projectId === project.id) return job
  throw new AppError(
    'job_not_found',
    `The project ${project.id} has no job ${path.id.slice(0, 200)}. List them with GET /v2/agent/${project.id}/jobs.`,
  )
}

/** The job with its pull request as its host has it now. A host that does not answer leaves it as it was. */
export async function readCurrentJob(c: AppContext, parts: ServerParts, job: AgentJob): Promise<AgentJob> {
  const before = job.pullRequest
  if (before === null || before.state !== 'open') return job
  const after = await refreshPullRequest(parts.agent, job, c.req.raw.signal).catch((error: unknown) => {
    c.get('log').warn({ error, jobId: job.id }, 'pull-request-read-failed')
    return before
  })
  if (after === null || (after.state === before.state && after.isDraft === before.isDraft)) return job
  await setAgentJobPullRequest(parts.store.durable, job.id, after)
  return { ...job, pullRequest: after }
}

export function toJobResource(job: AgentJob): AgentJobResource {
  const { pullRequest } = job
  return {
    id: job.id,
    status: job.status,
    source: { repository: job.repository, ref: job.ref },
    model: job.model,
    prLink: job.status === 'active' ? null : (pullRequest?.url ?? null),
    createdAt: toIsoTime(job.createdAt),
    archivedAt: toIsoTime(job.archivedAt),
    updatedAt: toIsoTime(job.updatedAt),
    prompt: job.prompt,
    title: job.title,
    summary: job.summary,
    failure: job.failure,
    usage: {
      inputTokens: job.inputTokens,
      outputTokens: job.outputTokens,
      steps: job.steps,
      costUsd: job.costUsd,
    },
    changes: job.changes,
    branch: job.branch,
    pullRequest: pullRequest && { url: pullRequest.url, state: pullRequest.state, draft: pullRequest.isDraft },
    instructions: job.instructions,
  }
}
