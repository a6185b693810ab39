import type { AgentFailureCode } from '../contract/agent-job.ts'
import type { AgentJob, NewAgentJob } from './agent-jobs.ts'
import { immediately } from './queue.ts'
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
    contextRepositories: [],
    inputTokens: 0,
    outputTokens: 0,
    steps: 0,
    costUsd: 0,
    attempt: 0,
    runAt: immediately,
    isClaimed: false,
    updatedAt: job.createdAt,
  }
}

export function toAgentJob(row: Row<'agentJobs'>): AgentJob {
  const { failureCode, failureMessage, ...rest } = row
  const { eventCount: _count, isClaimed: _isClaimed, idempotencyKey: _key, requestHash: _hash, ...job } = rest
  return {
    ...job,
    // The only writer of the column is this room, with the codes of the contract.
    failure: failureCode === null ? null : { code: failureCode as AgentFailureCode, message: failureMessage ?? '' },
  }
}
