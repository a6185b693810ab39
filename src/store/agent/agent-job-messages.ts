import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AgentJobContext } from '../../contract/agent-job.ts'
import { appendAgentJobEvents } from './agent-job-events.ts'
import { type AgentJob, type CountJob, toAgentJob } from './agent-job-row.ts'
import type { AgentJobPullRequest } from '../tables/agent.ts'
import { type AutomationStart, startAutomationRun } from './automation-runs.ts'
import { insertCommentAnswer, type NewCommentAnswer } from './comment-answers.ts'
import { inTransaction } from '../in-transaction.ts'
import { immediately } from '../queue.ts'
import type { Db, NewRow, Row } from '../schema.ts'

export interface NewAgentJobMessage {
  jobId: string
  prompt: string
  /** What the user was looking at when writing the prompt. */
  context?: readonly AgentJobContext[]
  /** The pull request comment that the message came from. If it was already followed, nothing changes. */
  comment?: NewCommentAnswer
  /** The automation run that sends the message, provided it is still pending. */
  automation?: AutomationStart | undefined
  /** The owner who lets the job delete from now on. */
  deletionsAllowedBy?: string
  /** Branches for a job that starts over; unchanged if absent. */
  branch?: string
  pullRequest?: AgentJobPullRequest | null
  createdAt: number
}

/**
 * Adds a user message. A finished job becomes active again, in its next round; an active one reads the message after
 * its current step.
 *
 * @returns Null for an archived job; nothing was written then.
 * @throws {AutomationMovedError} when the automation's run is no longer pending; nothing was written then.
 * @throws Whatever `count` throws; nothing was written or counted then.
 */
export function addAgentJobMessage(db: Db, message: NewAgentJobMessage, count?: CountJob): Promise<AgentJob | null> {
  const { jobId, prompt, createdAt } = message
  return inTransaction(db, async (transaction) => {
    const before = await lockAgentJob(transaction, jobId, createdAt)
    if (before === null || before.archivedAt !== null) return null
    const { comment, context = [] } = message
    const isNew = comment === undefined || (await insertCommentAnswer(transaction, { ...comment, jobId, createdAt }))
    if (!isNew) return before
    if (message.automation !== undefined) {
      await startAutomationRun(transaction, message.automation, { jobId, now: createdAt })
    }
    const round = before.status === 'active' ? before.round : before.round + 1
    const number = before.messageCount + 1
    const restart = {
      title: null,
      summary: null,
      failureCode: null,
      failureMessage: null,
      runAt: immediately,
      isClaimed: false,
    }
    const row = await transaction
      .updateTable('agentJobs')
      .set({
        ...(round > before.round && restart),
        ...(message.deletionsAllowedBy !== undefined && { deletionsAllowedBy: message.deletionsAllowedBy }),
        ...(message.branch !== undefined && { branch: message.branch }),
        ...(message.pullRequest !== undefined && { pullRequest: message.pullRequest }),
        status: 'active',
        round,
        prompt: maskSecrets(prompt),
        messageCount: number,
      })
      .where('id', '=', jobId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await insertAgentJobMessage(transaction, { jobId, number, round, text: prompt, context, createdAt })
    await appendAgentJobEvents(transaction, jobId, [{ type: 'message-received', prompt, round }], createdAt)
    const followed = toAgentJob(row)
    await count?.(transaction, followed)
    return followed
  })
}

/** Locks the job's row until the transaction ends, by writing to it. */
async function lockAgentJob(db: Db, id: string, now: number): Promise<AgentJob | null> {
  const row = await db
    .updateTable('agentJobs')
    .set({ updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAgentJob(row)
}

/** Inserts a message that its caller counts in the job's row. */
export async function insertAgentJobMessage(db: Db, message: Omit<NewRow<'jobMessages'>, 'role'>): Promise<void> {
  const { jobId, number, round, text, context, createdAt } = message
  await db.insertInto('jobMessages').values({ jobId, number, round, role: 'user', text, context, createdAt }).execute()
}

export type AgentJobMessage = Pick<Row<'jobMessages'>, 'number' | 'round' | 'text' | 'context'>

/** @param after Number of the last known message; 0 for all. */
export function listAgentJobMessages(db: Db, jobId: string, after: number): Promise<AgentJobMessage[]> {
  return db
    .selectFrom('jobMessages')
    .select(['number', 'round', 'text', 'context'])
    .where('jobId', '=', jobId)
    .where('number', '>', after)
    .orderBy('number')
    .execute()
}
