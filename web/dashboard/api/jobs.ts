import { queryOptions } from '@tanstack/react-query'
import type { AgentJobDiffResource } from '../../../src/contract/agent-job-diff.ts'
import type { AgentJobCreate, AgentJobResource, AgentJobStatus } from '../../../src/contract/agent-job.ts'
import type { AgentOptionsResource } from '../../../src/contract/agent-options.ts'
import { ApiError } from './api-error.ts'
import { readReply, request, requestHeaders, send, withQuery } from './request.ts'

export interface JobFilter {
  projectId: string
  status?: AgentJobStatus | undefined
  /** Id of a site. */
  site?: string | undefined
  search?: string | undefined
  /** ISO 8601. */
  from?: string | undefined
}

const rowsOfPage = 25

/** How often an active job is read without an event that says so. */
const activeReadMs = 5_000

const createTimeLimitMs = 60_000

/** Changes are read again after each step, and each may take half a megabyte. */
const diffKeptMs = 10_000

export function jobsQuery({ projectId, ...filter }: JobFilter, cursor: string | null) {
  return queryOptions({
    queryKey: ['jobs', projectId, filter, cursor],
    queryFn: ({ signal }) =>
      request<{ jobs: AgentJobResource[]; nextCursor: string | null }>(
        'GET',
        withQuery(agentPath(projectId, 'jobs'), { ...filter, limit: rowsOfPage, cursor }),
        undefined,
        signal,
      ),
  })
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ['job', id],
    queryFn: ({ signal }) => request<AgentJobResource>('GET', adminPath(id), undefined, signal),
    // Where a proxy lets no stream through.
    refetchInterval: ({ state }) => (state.data?.status === 'active' ? activeReadMs : false),
  })
}

/**
 * What a job has changed; null before it has.
 *
 * @param version Changes whenever the change may have: it is read again then.
 */
export function jobDiffQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ['job-diff', id, version],
    queryFn: async ({ signal }) => {
      try {
        return await request<AgentJobDiffResource>('GET', `${adminPath(id)}/diff`, undefined, signal)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    gcTime: diffKeptMs,
  })
}

/** The models of the agent, and how much a job may use. */
export const agentOptionsQuery = queryOptions({
  queryKey: ['agent-options'],
  queryFn: ({ signal }) => request<AgentOptionsResource>('GET', '/admin/v1/agent', undefined, signal),
})

/** @param key Makes sending the same once more give the same job. */
export async function createJob(projectId: string, job: AgentJobCreate, key: string): Promise<AgentJobResource> {
  const response = await send(agentPath(projectId, 'job'), {
    method: 'POST',
    headers: { ...requestHeaders('POST'), 'idempotency-key': key },
    body: JSON.stringify(job),
    signal: AbortSignal.timeout(createTimeLimitMs),
  })
  return readReply(response)
}

type JobName = Pick<AgentJobResource, 'id' | 'projectId'>

export function sendMessage(job: JobName, prompt: string): Promise<AgentJobResource> {
  return request('POST', `${jobPath(job)}/message`, { prompt })
}

export function cancelJob(job: JobName): Promise<AgentJobResource> {
  return request('POST', `${jobPath(job)}/cancel`)
}

export function archiveJob(job: JobName): Promise<AgentJobResource> {
  return request('POST', `${jobPath(job)}/archive`)
}

export function jobPath({ projectId, id }: JobName): string {
  return agentPath(projectId, `job/${encodeURIComponent(id)}`)
}

function agentPath(projectId: string, rest: string): string {
  return `/v2/agent/${encodeURIComponent(projectId)}/${rest}`
}

function adminPath(id: string): string {
  return `/admin/v1/jobs/${encodeURIComponent(id)}`
}
