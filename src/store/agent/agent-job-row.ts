import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AgentFailureCode, AgentJobContext } from '../../contract/agent-job.ts'
import type { AutomationStart } from './automation-runs.ts'
import { immediately, unclaimed } from '../queue.ts'
import type { Db, NewRow, Row } from '../schema.ts'
import type { AgentJobPullRequest } from '../tables/agent.ts'

/** A task for the agent. The row is the queue entry: a worker holds a lease on it while it works. */
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
  /** Chosen by the client; null if repeated requests need not be recognized. */
  idempotencyKey: string | null
  /** Hash of the client's input, to tell a repeated request from a different one with the same key. */
  requestHash: string
  /** The owner who lets it delete. */
  deletionsAllowedBy?: string | null
  /** An open pull request for the job to extend. */
  pullRequest?: AgentJobPullRequest | null
  /** The automation run that creates the job, provided it is still pending. */
  automation?: AutomationStart | undefined
}

/**
 * Counts a job or message against its limits. Runs last in the transaction that writes it: rejected ones are not
 * written, and failed writes are not counted.
 */
export type CountJob = (transaction: Db, job: AgentJob) => Promise<void>

export function toNewAgentJobRow(job: NewAgentJob): NewRow<'agentJobs'> {
  const { context: _context, automation: _automation, ...row } = job
  return {
    ...row,
    prompt: maskSecrets(job.prompt),
    status: 'active',
    round: 1,
    messageCount: 1,
    eventCount: 0,
    instructions: [],
    changes: [],
    contextRepositories: [],
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    steps: 0,
    costUsd: 0,
    ...unclaimed(immediately),
    updatedAt: job.createdAt,
  }
}

export function toAgentJob(row: Row<'agentJobs'>): AgentJob {
  const { failureCode, failureMessage, ...rest } = row
  const { eventCount: _count, isClaimed: _isClaimed, idempotencyKey: _key, requestHash: _hash, ...job } = rest
  return {
    ...job,
    // Only this room writes the column, with codes of the contract.
    failure: failureCode === null ? null : { code: failureCode as AgentFailureCode, message: failureMessage ?? '' },
  }
}
