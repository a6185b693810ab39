import type { ExpressionBuilder, Updateable, UpdateObject } from 'kysely'
import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AgentFailureCode, AgentJobChange, AgentJobContextRepository } from '../../contract/agent-job.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { insertAgentJobEvents } from './agent-job-events.ts'
import { announceJobEnd } from '../announce-changes.ts'
import { hasRow } from '../queries.ts'
import { type Claim, workDone } from '../queue.ts'
import { toAgentJob } from './agent-job-row.ts'
import type { AgentJobPullRequest } from './agent-jobs.ts'
import { inTransaction } from '../in-transaction.ts'
import type { Database, Db, Row } from '../schema.ts'

/** Visible state of a running job. Absent fields are left unchanged. */
export interface AgentJobNote {
  branch?: string
  pullRequest?: AgentJobPullRequest
  instructions?: readonly { path: string; commit: string }[]
  contextRepositories?: readonly AgentJobContextRepository[]
  model?: string
}

/** One step of a round: what it added to the conversation and the state after it. */
export interface NewAgentJobStep<Checkpoint extends object> {
  round: number
  /** Counts from 0 within the round; step 0 is the state before the first model call. */
  step: number
  /** How many user messages the step has seen; absent if newer messages do not matter. */
  messagesSeen?: number | undefined
  transcript: readonly object[]
  checkpoint: Checkpoint
  /** How the step changed the files; null if it did not. */
  fileChanges: object | null
  inputTokens: number
  /** Input tokens read from the provider's cache. */
  cachedTokens: number
  outputTokens: number
  /** Null if the price is unknown. */
  costUsd: number | null
  note?: AgentJobNote | undefined
  events: readonly AgentJobEvent[]
  createdAt: number
}

/**
 * Records a step with its note, events and token usage in one transaction. Drops the checkpoints of earlier steps, so
 * that a job stores only its conversation and one checkpoint.
 *
 * @returns `lost` if the claim is no longer current, `unread` if there is a user message that the step has not seen; in
 *   both cases nothing was written.
 */
export function recordAgentJobStep<Checkpoint extends object>(
  db: Db,
  claim: Claim,
  step: NewAgentJobStep<Checkpoint>,
): Promise<'recorded' | 'lost' | 'unread'> {
  const { round, messagesSeen, note, events, createdAt: now } = step
  return inTransaction(db, async (transaction) => {
    const counted = step.inputTokens + step.outputTokens > 0 ? 1 : 0
    const written = await updateClaimedJob(transaction, claim, { round, messagesSeen, events, now }, (set) => ({
      ...toNoteColumns(note ?? {}),
      inputTokens: set('inputTokens', '+', step.inputTokens),
      cachedTokens: set('cachedTokens', '+', step.cachedTokens),
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
  /** Nothing is written if there are more user messages than that; absent if it does not matter. */
  messagesSeen?: number | undefined
  events: readonly AgentJobEvent[]
  now: number
}

/** Updates a job's row and appends events if the claim is current. Call it first in a transaction. */
async function updateClaimedJob(
  db: Db,
  claim: Claim,
  { round, messagesSeen, events, now }: ClaimedUpdate,
  values: (set: ExpressionBuilder<Database, 'agentJobs'>) => UpdateObject<Database, 'agentJobs'>,
): Promise<Row<'agentJobs'> | 'lost' | 'unread'> {
  let query = db
    .updateTable('agentJobs')
    .set((set) => ({ ...values(set), updatedAt: now, eventCount: set('eventCount', '+', events.length) }))
    .where((where) => where.and({ id: claim.id, attempt: claim.attempt, status: 'active' }))
  if (round !== undefined) query = query.where('round', '=', round)
  if (messagesSeen !== undefined) query = query.where('messageCount', '<=', messagesSeen)
  const row = await query.returningAll().executeTakeFirst()
  if (row === undefined) return messagesSeen !== undefined && (await isAgentJobHeld(db, claim)) ? 'unread' : 'lost'
  await insertAgentJobEvents(db, { jobId: claim.id, last: row.eventCount, events, now })
  return row
}

/** Whether a claim is still current. */
export function isAgentJobHeld(db: Db, { id, attempt }: Claim): Promise<boolean> {
  return hasRow(
    db
      .selectFrom('agentJobs')
      .select('id')
      .where((where) => where.and({ id, attempt, status: 'active' })),
  )
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
  db: Db,
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
      fileChanges: step.fileChanges,
      inputTokens: step.inputTokens,
      outputTokens: step.outputTokens,
      costUsd: step.costUsd,
      createdAt: step.createdAt,
    })
    .execute()
}

/** State of a round, assembled from its steps. */
export interface AgentJobProgress<Checkpoint extends object> {
  /** Number of the newest step. */
  step: number
  /** Everything the steps added, in order. */
  transcript: object[]
  checkpoint: Checkpoint
  /** How the steps changed the files, in order. */
  fileChanges: object[]
}

/**
 * The newest state of a round; null before step 0 is recorded.
 *
 * @typeParam Checkpoint As given by the writer of the steps; its fields are not checked again.
 */
export async function readAgentJobProgress<Checkpoint extends object>(
  db: Db,
  jobId: string,
  round: number,
): Promise<AgentJobProgress<Checkpoint> | null> {
  const rows = await db
    .selectFrom('jobSteps')
    .select(['step', 'transcript', 'checkpoint', 'fileChanges'])
    .where('jobId', '=', jobId)
    .where('round', '=', round)
    .orderBy('step')
    .execute()
  const last = rows.at(-1)
  if (last?.checkpoint == null) return null
  return {
    step: last.step,
    transcript: rows.flatMap(({ transcript }) => transcript),
    checkpoint: last.checkpoint as Checkpoint, // As given by the writer of the steps.
    fileChanges: rows.flatMap(({ fileChanges }) => fileChanges ?? []),
  }
}

/** The newest state of a job, from any round. */
export interface AgentJobState<Checkpoint extends object> {
  round: number
  step: number
  checkpoint: Checkpoint
  /** How the round's steps changed the files, in order. */
  fileChanges: object[]
}

/**
 * A job's newest checkpoint without its conversation; null before the first.
 *
 * @typeParam Checkpoint As given by the writer of the steps; its fields are not checked again.
 */
export async function readAgentJobState<Checkpoint extends object>(
  db: Db,
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
  const changed = await db
    .selectFrom('jobSteps')
    .select('fileChanges')
    .where('jobId', '=', jobId)
    .where('round', '=', round)
    .where('step', '<=', step)
    .where('fileChanges', 'is not', null)
    .orderBy('step')
    .execute()
  const fileChanges = changed.flatMap((each) => each.fileChanges ?? [])
  return { round, step, checkpoint: row.checkpoint as Checkpoint, fileChanges } // As given by the writer of the steps.
}

/**
 * Records a side effect, such as an opened pull request, if the claim is current.
 *
 * @returns False if the claim is no longer current; nothing was written then.
 */
export function recordSideEffect(
  db: Db,
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
  /** How many user messages the work has seen; absent if the job may end with unread messages. */
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
 * @returns `lost` if the claim is no longer current, `unread` if a new user message arrived and the work must continue;
 *   in both cases nothing was written.
 */
export function finishAgentJob(db: Db, claim: Claim, end: AgentJobEnd): Promise<'finished' | 'lost' | 'unread'> {
  return inTransaction(db, async (transaction) => {
    const ended = await updateClaimedJob(transaction, claim, end, () => ({
      status: end.failure === null ? 'completed' : 'failed',
      failureCode: end.failure?.code ?? null,
      failureMessage: end.failure && maskSecrets(end.failure.message),
      title: end.title && maskSecrets(end.title),
      summary: end.summary && maskSecrets(end.summary),
      changes: end.changes,
      pullRequest: end.pullRequest,
      ...workDone,
    }))
    if (typeof ended === 'string') return ended
    await announceJobEnd(transaction, toAgentJob(ended), end.now)
    return 'finished'
  })
}
