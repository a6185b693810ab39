import type { Kysely } from 'kysely'
import type { AgentFailureCode, AgentJobChange, AgentJobContextRepository } from '../contract/agent-job.ts'
import type { AgentJobEvent } from '../contract/agent-job-event.ts'
import { appendAgentJobEvents } from './agent-job-events.ts'
import { announceJobEnd } from './announce-changes.ts'
import { type Claim, workDone } from './queue.ts'
import { toAgentJob } from './agent-job-row.ts'
import type { AgentJobPullRequest } from './agent-jobs.ts'
import { inTransaction } from './in-transaction.ts'
import type { Database } from './schema.ts'

/** One step of a round: what it added to the conversation, and where the work stands after it. */
export interface NewAgentJobStep<Checkpoint extends object> {
  round: number
  /** Counts from 0 within the round; step 0 is the beginning, before the model was called. */
  step: number
  transcript: readonly object[]
  checkpoint: Checkpoint
  inputTokens: number
  outputTokens: number
  /** Null when the price is not known. */
  costUsd: number | null
  events: readonly AgentJobEvent[]
  createdAt: number
}

/**
 * Records a step, its events and its use of tokens, all or nothing. Steps before it give up their checkpoint, so that
 * a job takes no more room than its conversation and one state of its work.
 *
 * @returns False when the claim is not the current one any more; nothing was written then.
 */
export function recordAgentJobStep<Checkpoint extends object>(
  db: Kysely<Database>,
  claim: Claim,
  step: NewAgentJobStep<Checkpoint>,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const counted = step.inputTokens + step.outputTokens > 0 ? 1 : 0
    const held = await transaction
      .updateTable('agentJobs')
      .set((set) => ({
        inputTokens: set('inputTokens', '+', step.inputTokens),
        outputTokens: set('outputTokens', '+', step.outputTokens),
        costUsd: step.costUsd === null ? null : set('costUsd', '+', step.costUsd),
        steps: set('steps', '+', counted),
        updatedAt: step.createdAt,
      }))
      .where('id', '=', claim.id)
      .where('attempt', '=', claim.attempt)
      .where('status', '=', 'active')
      .where('round', '=', step.round)
      .executeTakeFirst()
    if (held.numUpdatedRows === 0n) return false
    await replaceCheckpoint(transaction, claim.id, step)
    await appendAgentJobEvents(transaction, claim.id, step.events, step.createdAt)
    return true
  })
}

async function replaceCheckpoint<Checkpoint extends object>(
  db: Kysely<Database>,
  jobId: string,
  step: NewAgentJobStep<Checkpoint>,
): Promise<void> {
  await db
    .updateTable('jobSteps')
    .set({ checkpoint: null })
    .where('jobId', '=', jobId)
    .where('checkpoint', 'is not', null)
    .execute()
  await db
    .insertInto('jobSteps')
    .values({
      jobId,
      round: step.round,
      step: step.step,
      transcript: step.transcript,
      checkpoint: step.checkpoint,
      inputTokens: step.inputTokens,
      outputTokens: step.outputTokens,
      costUsd: step.costUsd,
      createdAt: step.createdAt,
    })
    .execute()
}

/** Where a round stands, put together from its steps. */
export interface AgentJobProgress<Checkpoint extends object> {
  /** Number of the newest step. */
  step: number
  /** What all steps have added, in order. */
  transcript: object[]
  checkpoint: Checkpoint
}

/**
 * The newest state of a round; null before its beginning was recorded.
 *
 * @typeParam Checkpoint What the writer of the steps gave; fields are not checked again.
 */
export async function readAgentJobProgress<Checkpoint extends object>(
  db: Kysely<Database>,
  jobId: string,
  round: number,
): Promise<AgentJobProgress<Checkpoint> | null> {
  const rows = await db
    .selectFrom('jobSteps')
    .select(['step', 'transcript', 'checkpoint'])
    .where('jobId', '=', jobId)
    .where('round', '=', round)
    .orderBy('step')
    .execute()
  const last = rows.at(-1)
  if (last?.checkpoint == null) return null
  return {
    step: last.step,
    transcript: rows.flatMap(({ transcript }) => transcript),
    checkpoint: last.checkpoint as Checkpoint, // What the writer of the steps gave.
  }
}

/** The newest state of the work on a job, of whichever round. */
export interface AgentJobState<Checkpoint extends object> {
  round: number
  step: number
  checkpoint: Checkpoint
}

/**
 * The newest checkpoint of a job alone, without its conversation; null before the first.
 *
 * @typeParam Checkpoint What the writer of the steps gave; fields are not checked again.
 */
export async function readAgentJobState<Checkpoint extends object>(
  db: Kysely<Database>,
  jobId: string,
): Promise<AgentJobState<Checkpoint> | null> {
  const row = await db
    .selectFrom('jobSteps')
    .select(['round', 'step', 'checkpoint'])
    .where('jobId', '=', jobId)
    .where('checkpoint', 'is not', null)
    .orderBy('round', 'desc')
    .orderBy('step', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row?.checkpoint == null) return null
  const { round, step } = row
  return { round, step, checkpoint: row.checkpoint as Checkpoint } // What the writer of the steps gave.
}

/** What a job shows of itself while it is worked on. Absent fields stay. */
export interface AgentJobNote {
  branch?: string
  pullRequest?: AgentJobPullRequest
  instructions?: readonly { path: string; commit: string }[]
  contextRepositories?: readonly AgentJobContextRepository[]
  model?: string
  events: readonly AgentJobEvent[]
  now: number
}

/**
 * Notes a side effect, such as a pull request that was opened, while the claim is held.
 *
 * @returns False when the claim is not the current one any more; nothing was written then.
 */
export function noteAgentJob(db: Kysely<Database>, claim: Claim, note: AgentJobNote): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const held = await transaction
      .updateTable('agentJobs')
      .set({
        updatedAt: note.now,
        ...(note.branch !== undefined && { branch: note.branch }),
        ...(note.pullRequest !== undefined && { pullRequest: note.pullRequest }),
        ...(note.instructions !== undefined && { instructions: note.instructions }),
        ...(note.contextRepositories !== undefined && { contextRepositories: note.contextRepositories }),
        ...(note.model !== undefined && { model: note.model }),
      })
      .where('id', '=', claim.id)
      .where('attempt', '=', claim.attempt)
      .where('status', '=', 'active')
      .executeTakeFirst()
    if (held.numUpdatedRows === 0n) return false
    await appendAgentJobEvents(transaction, claim.id, note.events, note.now)
    return true
  })
}

export interface AgentJobEnd {
  /** How many messages of the user the work has seen. */
  messagesSeen: number
  failure: { code: AgentFailureCode; message: string } | null
  title: string | null
  summary: string | null
  changes: readonly AgentJobChange[]
  pullRequest: AgentJobPullRequest | null
  events: readonly AgentJobEvent[]
  now: number
}

/**
 * Ends a round.
 *
 * @returns `lost` when the claim is not the current one any more, `unread` when a message of the user came in the
 *   meantime and the work has to go on; nothing was written in both.
 */
export function finishAgentJob(
  db: Kysely<Database>,
  claim: Claim,
  end: AgentJobEnd,
): Promise<'finished' | 'lost' | 'unread'> {
  return inTransaction(db, async (transaction) => {
    const held = await transaction
      .updateTable('agentJobs')
      .set({ updatedAt: end.now })
      .where('id', '=', claim.id)
      .where('attempt', '=', claim.attempt)
      .where('status', '=', 'active')
      .returning('messageCount')
      .executeTakeFirst()
    if (held === undefined) return 'lost'
    if (held.messageCount > end.messagesSeen) return 'unread'
    const ended = await transaction
      .updateTable('agentJobs')
      .set({
        status: end.failure === null ? 'completed' : 'failed',
        failureCode: end.failure?.code ?? null,
        failureMessage: end.failure?.message ?? null,
        title: end.title,
        summary: end.summary,
        changes: end.changes,
        pullRequest: end.pullRequest,
        ...workDone,
      })
      .where('id', '=', claim.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendAgentJobEvents(transaction, claim.id, end.events, end.now)
    await announceJobEnd(transaction, toAgentJob(ended), end.now)
    return 'finished'
  })
}
