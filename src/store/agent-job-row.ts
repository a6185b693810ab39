import type { AgentFailureCode, AgentJobChange, AgentJobContextRepository } from '../contract/agent-job.ts'
import type { AgentJob, AgentJobPullRequest, NewAgentJob } from './agent-jobs.ts'
import { parseItems, parseObject } from './json-column.ts'
import type { Row } from './schema.ts'

export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

export function toNewAgentJobRow(job: NewAgentJob) {
  return {
    id: job.id,
    project_id: job.projectId,
    site_id: job.siteId,
    status: 'active' as const,
    round: 1,
    message_count: 1,
    event_count: 0,
    repository: job.repository,
    ref: job.ref,
    branch: job.branch,
    model: job.model,
    is_draft: job.isDraft ? 1 : 0,
    prompt: job.prompt,
    pull_request: toJson(job.pullRequest ?? null),
    instructions: '[]',
    changes: '[]',
    input_tokens: 0,
    output_tokens: 0,
    steps: 0,
    cost_usd: 0,
    attempt: 0,
    idempotency_key: job.idempotencyKey,
    request_hash: job.requestHash,
    created_at: job.createdAt,
    updated_at: job.createdAt,
  }
}

export function toAgentJob(row: Row<'agent_jobs'>): AgentJob {
  return {
    id: row.id,
    projectId: row.project_id,
    siteId: row.site_id,
    status: row.status,
    round: row.round,
    messageCount: row.message_count,
    repository: row.repository,
    ref: row.ref,
    branch: row.branch,
    model: row.model,
    isDraft: row.is_draft === 1,
    prompt: row.prompt,
    title: row.title,
    summary: row.summary,
    failure: toFailure(row),
    pullRequest:
      row.pull_request === null ? null : parseObject<AgentJobPullRequest>('agent_jobs.pull_request', row.pull_request),
    instructions: parseItems<AgentJob['instructions'][number]>('agent_jobs.instructions', row.instructions),
    contextRepositories: parseItems<AgentJobContextRepository>('agent_jobs.contexts', row.contexts ?? '[]'),
    changes: parseItems<AgentJobChange>('agent_jobs.changes', row.changes),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    steps: row.steps,
    costUsd: row.cost_usd,
    attempt: row.attempt,
    leaseUntil: row.lease_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  }
}

function toFailure({ failure_code, failure_message }: Row<'agent_jobs'>): AgentJob['failure'] {
  if (failure_code === null) return null
  // The only writer of the column is this room, with the codes of the contract.
  return { code: failure_code as AgentFailureCode, message: failure_message ?? '' }
}
