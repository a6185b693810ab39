import type { ExpressionBuilder, Kysely, Updateable, UpdateObject } from 'kysely'
import type { AgentFailureCode, AgentJobChange, AgentJobContextRepository } from '../../contract/agent-job.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { insertAgentJobEvents } from './agent-job-events.ts'
import { announceJobEnd } from '../announce-changes.ts'
import { type Claim, workDone } from '../queue.ts'
import { toAgentJob } from './agent-job-row.ts'
import type { AgentJobPullRequest } from './agent-jobs.ts'
import { inTransaction } from '../in-transaction.ts'
import type { Database, Row } from '../schema.ts'

/** What a job shows of itself while it is worked on. Absent fields stay. */
export interface AgentJobNote {
  branch?: string
  pullRequest?: AgentJobPullRequest
  instructions?: readonly { path: string; commit: string }[]
  contextRepositories?: readonly AgentJobContextRepository[]
  model?: string
}

/** One step of a round: what it added to the conversation, and where the work stands after it. */
export interface NewAgentJobStep<Checkpoint extends object> {
  round: number
  /** Counts from 0 within the round; step 0 is the beginning, before the model was called. */
  step: number
  /** How many messages of the user the step has seen; absent where it may be recorded whatever was written since. */
  messagesSeen?: number | undefined
  transcript: readonly object[]
  checkpoint: Checkpoint
  inputTokens: number
  outputTokens: number
  /** Null when the price is not known. */
  costUsd: number | null
  note?: AgentJobNote | undefined
  events: readonly AgentJobEvent[]
  createdAt: number
}

/**
 * Records a step, its note, its events and its use of tokens, all or nothing. Steps before it give up their checkpoint,
 * so that a job takes no more room than its conversation and one state of its work.
 *
 * @returns `lost` when the claim is not the current one any more, `unread` when the user has written a message that the
 *   step has not seen; nothing was written in both.
 */
export function recordAgentJobStep<Checkpoint extends object>(
  db: Kysely<Database>,
  claim: Claim,
  step: NewAgentJobStep<Checkpoint>,
): Promise<'recorded' | 'lost' | 'unread'> {
  const { round, messagesSeen, note, events, createdAt: now } = step
  return inTransaction(db, async (transaction) => {
    const counted = step.inputTokens + step.outputTokens > 0 ? 1 : 0
    const written = await updateClaimedJob(transaction, claim, { round, messagesSeen, events, now }, (set) => ({
      ...toNoteColumns(note ?? {}),
      inputTokens: set('inputTokens', '+', step.inputTokens),
      outputTokens: set('outputTokens', '+', step.outputTokens),
      costUsd: step.costUsd === null ? null : set('costUsd', '+', step.costUsd),
      steps: set('steps', '+', counted),
    }))
    if (typeof written === 'string') return written
    await replaceCheckpoint(transaction, claim.id, step)
    return 'recorded'
  })
}

interface ClaimedUpdate {
  round?: number
  /** Nothing is written when the user has written more messages; absent where that does not matter. */
  messagesSeen?: number | undefined
  events: readonly AgentJobEvent[]
  now: number
}

/** Writes to the row of a job and appends events while the claim is held. Call it first in a transaction. */
async function updateClaimedJob(
  db: Kysely<Database>,
  claim: Claim,
  { round, messagesSeen, events, now }: ClaimedUpdate,
  values: (set: ExpressionBuilder<Database, 'agentJobs'>) => UpdateObject<Database, 'agentJobs'>,
): Promise<Row<'agentJobs'> | 'lost' | 'unread'> {
  let query = db
    .updateTable('agentJobs')
    .set((set) => ({ ...values(set), updatedAt: now, eventCount: set('eventCount', '+', events.length) }))
    .where('id', '=', claim.id)
    .where('attempt', '=', claim.attempt)
    .where('status', '=', 'active')
  if (round !== undefined) query = query.where('round', '=', round)
  if (messagesSeen !== undefined) query = query.where('messageCount', '<=', messagesSeen)
  const row = await query.returningAll().executeTakeFirst()
  if (row === undefined) return messagesSeen !== undefined && (await holdsAgentJob(db, claim)) ? 'unread' : 'lost'
  await insertAgentJobEvents(db, { jobId: claim.id, last: row.eventCount, events, now })
  return row
}

/** Whether a claim is still the current one. */
export async function holdsAgentJob(db: Kysely<Database>, { id, attempt }: Claim): Promise<boolean> {
  const row = await db
    .selectFrom('agentJobs')
    .select('id')
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'active')
    .executeTakeFirst()
  return row !== undefined
}

function toNoteColumns(note: AgentJobNote): Updateable<Database['agentJobs']> {
  return {
    ...(note.branch !== undefined && { branch: note.branch }),
    ...(note.pullRequest !== undefined && { pullRequest: note.pullRequest }),
    ...(note.instructions !== undefined && { instructions: note.instructions }),
    ...(note.contextRepositories !== undefined && { contextRepositories: note.contextRepositories }),
    ...(note.model !== undefined && { model: note.model }),
  }
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

/**
 * Notes a side effect, such as a pull request that was opened, while the claim is held.
 *
 * @returns False when the claim is not the current one any more; nothing was written then.
 */
export function noteAgentJob(
  db: Kysely<Database>,
  claim: Claim,
  { events, now, ...note }: AgentJobNote & Pick<ClaimedUpdate, 'events' | 'now'>,
): Promise<boolean> {
  return inTransaction(
    db,
    async (transaction) =>
      (await updateClaimedJob(transaction, claim, { events, now }, () => toNoteColumns(note))) !== 'lost',
  )
}

export interface AgentJobEnd {
  /** How many messages of the user the work has seen; absent for an end that leaves later ones unread. */
  messagesSeen?: number
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
    const ended = await updateClaimedJob(transaction, claim, end, () => ({
      status: end.failure === null ? 'completed' : 'failed',
      failureCode: end.failure?.code ?? null,
      failureMessage: end.failure?.message ?? null,
      title: end.title,
      summary: end.summary,
      changes: end.changes,
      pullRequest: end.pullRequest,
      ...workDone,
    }))
    if (typeof ended === 'string') return ended
    await announceJobEnd(transaction, toAgentJob(ended), end.now)
    return 'finished'
  })
}
