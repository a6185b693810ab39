import { AppError } from '../../contract/app-error.ts'
import { type AgentJob, getAgentJob } from '../../store/agent/agent-jobs.ts'
import { getProject, type Project } from '../../store/accounts/projects.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Finds a project of the request's organization. @throws {AppError} `not_found`. */
export async function findOwnProject(c: AppContext, { store }: ServerDeps, id: string): Promise<Project> {
  const project = await getProject(store.durable, id)
  if (project !== null && project.organizationId === c.get('organizationId')) return project
  throw new AppError('not_found', `There is no project ${id.slice(0, 200)}. List them with GET /admin/v1/projects.`)
}

/**
 * Finds a job in a project of the request's organization. @throws {AppError} `not_found` for the project,
 * `job_not_found`.
 */
export async function findOwnJob(
  c: AppContext,
  deps: ServerDeps,
  path: { projectId: string; id: string },
): Promise<AgentJob> {
  const project = await findOwnProject(c, deps, path.projectId)
  const job = await getAgentJob(deps.store.durable, path.id)
  if (job?.projectId === project.id) return job
  throw new AppError(
    'job_not_found',
    `The project ${project.id} has no job ${path.id.slice(0, 200)}. List them with GET /v2/agent/${project.id}/jobs.`,
  )
}

/** Finds a job of the request's organization in any project. @throws {AppError} `job_not_found`. */
export async function findJobOfOrganization(c: AppContext, { store }: ServerDeps, id: string): Promise<AgentJob> {
  const job = await getAgentJob(store.durable, id)
  const project = job === null ? null : await getProject(store.durable, job.projectId)
  if (job !== null && project?.organizationId === c.get('organizationId')) return job
  throw new AppError(
    'job_not_found',
    `There is no job ${id.slice(0, 200)}. List them with GET /v2/agent/{projectId}/jobs.`,
  )
}

export function toJobResource(job: AgentJob) {
  const { repository, ref, pullRequest, inputTokens, cachedTokens, outputTokens, steps, costUsd } = job
  return {
    ...job,
    source: { repository, ref },
    prLink: job.status === 'active' ? null : (pullRequest?.url ?? null),
    usage: { inputTokens, cachedTokens, outputTokens, steps, costUsd },
    pullRequest: pullRequest && { ...pullRequest, draft: pullRequest.isDraft },
  }
}
