import type { Kysely } from 'kysely'
import type { AgentJobContext } from '../../contract/agent-job.ts'
import { appendAgentJobEvents } from './agent-job-events.ts'
import { type AgentJob, type CountJob, toAgentJob } from './agent-job-row.ts'
import type { AgentJobPullRequest } from '../tables/agent.ts'
import { type AutomationStart, startAutomationRun } from './automation-runs.ts'
import { insertCommentAnswer, type NewCommentAnswer } from './comment-answers.ts'
import { inTransaction } from '../in-transaction.ts'
import { immediately } from '../queue.ts'
import type { Database, NewRow, Row } from '../schema.ts'

export interface NewAgentJobMessage {
  jobId: string
  prompt: string
  /** What the writer of the prompt has before them. */
  context?: readonly AgentJobContext[]
  /** The comment on the pull request that the message was: one that was followed before changes nothing. */
  comment?: NewCommentAnswer
  /** The run of an automation that it is sent for, if that is still to be done. */
  automation?: AutomationStart | undefined
  /** The branches of a job that begins anew; those that it has where absent. */
  branch?: string
  pullRequest?: AgentJobPullRequest | null
  createdAt: number
}

/**
 * Adds a message of the user. A job that had ended is active again, in its next round; one that is active reads the
 * message after its current step.
 *
 * @returns Null for a job that is archived; nothing was written then.
 * @throws {AutomationMovedError} where the run of the automation is not to be done any more; nothing was written then.
 * @throws What `count` throws; nothing was written or counted then.
 */
export function addAgentJobMessage(
  db: Kysely<Database>,
  message: NewAgentJobMessage,
  count?: CountJob,
): Promise<AgentJob | null> {
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
        ...(message.branch !== undefined && { branch: message.branch }),
        ...(message.pullRequest !== undefined && { pullRequest: message.pullRequest }),
        status: 'active',
        round,
        prompt,
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

/** Writes to the row first, which makes every other writer of the job wait until the transaction has ended. */
async function lockAgentJob(db: Kysely<Database>, id: string, now: number): Promise<AgentJob | null> {
  const row = await db
    .updateTable('agentJobs')
    .set({ updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAgentJob(row)
}

/** The row of a message; its caller counts it in the row of the job. */
export async function insertAgentJobMessage(
  db: Kysely<Database>,
  message: Omit<NewRow<'jobMessages'>, 'role'>,
): Promise<void> {
  const { jobId, number, round, text, context, createdAt } = message
  await db.insertInto('jobMessages').values({ jobId, number, round, role: 'user', text, context, createdAt }).execute()
}

/** A message of a job, in the order in which they came. */
export type AgentJobMessage = Pick<Row<'jobMessages'>, 'number' | 'round' | 'text' | 'context'>

/** @param after Number of the last message that is known; 0 for all. */
export function listAgentJobMessages(db: Kysely<Database>, jobId: string, after: number): Promise<AgentJobMessage[]> {
  return db
    .selectFrom('jobMessages')
    .select(['number', 'round', 'text', 'context'])
    .where('jobId', '=', jobId)
    .where('number', '>', after)
    .orderBy('number')
    .execute()
}
