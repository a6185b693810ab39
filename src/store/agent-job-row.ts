import type { AgentFailureCode } from '../contract/agent-job.ts'
import type { AgentJob, NewAgentJob } from './agent-jobs.ts'
import { immediately } from './queue.ts'
import type { Row } from './schema.ts'

export function toNewAgentJobRow(job: NewAgentJob) {
  return {
    id: job.id,
    projectId: job.projectId,
    siteId: job.siteId,
    status: 'active' as const,
    round: 1,
    messageCount: 1,
    eventCount: 0,
    repository: job.repository,
    ref: job.ref,
    branch: job.branch,
    model: job.model,
    isDraft: job.isDraft,
    prompt: job.prompt,
    pullRequest: job.pullRequest ?? null,
    instructions: [],
    changes: [],
    inputTokens: 0,
    outputTokens: 0,
    steps: 0,
    costUsd: 0,
    attempt: 0,
    runAt: immediately,
    isClaimed: false,
    idempotencyKey: job.idempotencyKey,
    requestHash: job.requestHash,
    createdAt: job.createdAt,
    updatedAt: job.createdAt,
  }
}

export function toAgentJob(row: Row<'agentJobs'>): AgentJob {
  return {
    id: row.id,
    projectId: row.projectId,
    siteId: row.siteId,
    status: row.status,
    round: row.round,
    messageCount: row.messageCount,
    repository: row.repository,
    ref: row.ref,
    branch: row.branch,
    model: row.model,
    isDraft: row.isDraft,
    prompt: row.prompt,
    title: row.title,
    summary: row.summary,
    failure: toFailure(row),
    pullRequest: row.pullRequest,
    instructions: row.instructions,
    contextRepositories: row.contexts ?? [],
    changes: row.changes,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    steps: row.steps,
    costUsd: row.costUsd,
    attempt: row.attempt,
    runAt: row.runAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    archivedAt: row.archivedAt,
  }
}

function toFailure({ failureCode, failureMessage }: Row<'agentJobs'>): AgentJob['failure'] {
  if (failureCode === null) return null
  // The only writer of the column is this room, with the codes of the contract.
  return { code: failureCode as AgentFailureCode, message: failureMessage ?? '' }
}
