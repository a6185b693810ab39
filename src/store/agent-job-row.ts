import type { AgentFailureCode } from '../contract/agent-job.ts'
import type { AgentJob, NewAgentJob } from './agent-jobs.ts'
import type { NewRow, Row } from './schema.ts'

export function toNewAgentJobRow(job: NewAgentJob): NewRow<'agentJobs'> {
  const { context: _context, automation: _automation, ...row } = job
  return {
    ...row,
    status: 'active',
    round: 1,
    messageCount: 1,
    eventCount: 0,
    instructions: [],
    changes: [],
    inputTokens: 0,
    outputTokens: 0,
    steps: 0,
    costUsd: 0,
    attempt: 0,
    updatedAt: job.createdAt,
  }
}

export function toAgentJob(row: Row<'agentJobs'>): AgentJob {
  const { failureCode, failureMessage, contexts, eventCount, leaseOwner, idempotencyKey, requestHash, ...job } = row
  return {
    ...job,
    // The only writer of the column is this room, with the codes of the contract.
    failure: failureCode === null ? null : { code: failureCode as AgentFailureCode, message: failureMessage ?? '' },
    contextRepositories: contexts ?? [],
  }
}
