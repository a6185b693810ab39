import type { Kysely } from 'kysely'
import type { AgentFailureCode, AgentJobContext } from '../../contract/agent-job.ts'
import type { AutomationStart } from './automation-runs.ts'
import { immediately } from '../queue.ts'
import type { Database, NewRow, Row } from '../schema.ts'
import type { AgentJobPullRequest } from '../tables/agent.ts'

/** A task for the agent. The row is the queue: a worker holds a lease on it while it works. */
export interface AgentJob extends Omit<
  Row<'agentJobs'>,
  'eventCount' | 'failureCode' | 'failureMessage' | 'idempotencyKey' | 'isClaimed' | 'requestHash'
> {
  failure: { code: AgentFailureCode; message: string } | null
}

export type NewAgentJob = Pick<
  AgentJob,
  'id' | 'projectId' | 'siteId' | 'repository' | 'ref' | 'branch' | 'model' | 'isDraft' | 'prompt' | 'createdAt'
> & {
  context: AgentJobContext[]
  /** Chosen by the client; null for a request that is not to be recognized. */
  idempotencyKey: string | null
  /** Of what the client sent, to tell a repeated request from another one under the same key. */
  requestHash: string
  /** An open one that the job adds to. */
  pullRequest?: AgentJobPullRequest | null
  /** The run of an automation that it is made for, if that is still to be done. */
  automation?: AutomationStart | undefined
}

/**
 * Counts a job or a message against its limits, as the last statements of the transaction that writes it: refused ones are
 * not written, and failed writes are not counted.
 */
export type CountJob = (transaction: Kysely<Database>, job: AgentJob) => Promise<void>

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
