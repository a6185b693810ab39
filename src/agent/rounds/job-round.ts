import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import type { LoopStep } from '../../models/loop/run-tool-loop.ts'
import {
  type AgentJobEnd,
  type AgentJobNote,
  finishAgentJob,
  isAgentJobHeld,
  recordSideEffect,
  recordAgentJobStep,
} from '../../store/agent/agent-job-steps.ts'
import type { AgentJob } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { JobCheckpoint, JobStop } from './job-checkpoint.ts'
import { readUnread } from './job-messages.ts'
import { packCheckpoint } from './stored-checkpoint.ts'
import { LeaseLostError } from './lease-lost-error.ts'

/** What writing to a round uses. */
export type RoundDeps = Pick<AgentDeps, 'store' | 'clock'>

/** A round of a job under one claim, which fences every write. A value: recording a step returns the next one. */
export interface JobRound {
  readonly job: AgentJob
  readonly transcript: ChatPrompt
  /** The latest. */
  readonly checkpoint: JobCheckpoint
  /** Number of the newest step; 0 is the beginning, before the model was called. */
  readonly steps: number
}

/** What a step cost. */
export interface StepUse {
  inputTokens: number
  /** Of the input tokens: read from the provider's cache. */
  cachedTokens: number
  outputTokens: number
  /** Weighed by what they cost. */
  spentTokens: number
  /** Null if the price is unknown. */
  costUsd: number | null
  durationMs: number
}

const nothingUsed: StepUse = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  spentTokens: 0,
  costUsd: 0,
  durationMs: 0,
}

/** What a model call cost. */
export function readStepUse({ usage, cachedTokens, spentTokens, costUsd }: LoopStep): Omit<StepUse, 'durationMs'> {
  return { ...usage, cachedTokens, spentTokens, costUsd }
}

/** The use of a round after a step. */
export function addUse(
  { tokens, costUsd, activeMs }: Pick<JobCheckpoint, 'tokens' | 'costUsd' | 'activeMs'>,
  use: Pick<StepUse, 'spentTokens' | 'costUsd' | 'durationMs'>,
) {
  return {
    tokens: tokens + (use.costUsd === null ? use.spentTokens : 0),
    costUsd: costUsd + (use.costUsd ?? 0),
    activeMs: activeMs + use.durationMs,
  }
}

/** The outcome of a step, recorded in one transaction. */
export interface RoundStep {
  /** The state after the step; recording adds `use`. */
  checkpoint: JobCheckpoint
  /** Added to the conversation. */
  messages?: ChatPrompt
  use?: Partial<StepUse>
  note?: AgentJobNote
  events?: readonly AgentJobEvent[]
}

/** Whether only delivering the work is left. */
export function isOver({ checkpoint }: JobRound): boolean {
  return checkpoint.tools.finished !== null || checkpoint.stop !== null
}

/** @throws {LeaseLostError} if the claim was lost; then nothing was written. */
export async function recordStep(deps: RoundDeps, round: JobRound, step: RoundStep): Promise<JobRound> {
  const recorded = await writeStep(deps, round, step)
  if (recorded === 'unread') throw new Error('A step was refused because of messages that it does not depend on.')
  return recorded
}

/**
 * Records a step unless the user has written a message that it has not seen.
 *
 * @returns `unread` in that case; nothing was written.
 * @throws {LeaseLostError}
 */
export function recordSeenStep(deps: RoundDeps, round: JobRound, step: RoundStep): Promise<JobRound | 'unread'> {
  return writeStep(deps, round, step, step.checkpoint.messagesSeen)
}

async function writeStep(
  { store, clock }: RoundDeps,
  { job, transcript, steps, checkpoint: known }: JobRound,
  { checkpoint: before, messages = [], use, note, events = [] }: RoundStep,
  messagesSeen?: number,
): Promise<JobRound | 'unread'> {
  const whole = { ...nothingUsed, ...use }
  const { durationMs: _durationMs, spentTokens: _spentTokens, ...used } = whole
  const now = clock.now()
  const checkpoint: JobCheckpoint = {
    ...before,
    attempt: job.attempt,
    recordedAt: now,
    ...addUse(before, whole),
  }
  const step = steps + 1
  const packed = packCheckpoint(checkpoint, steps < 0 ? null : known.overlay)
  const written = { round: job.round, step, transcript: messages, ...packed, ...used, note, events, createdAt: now }
  const outcome = await recordAgentJobStep(store.durable, job, { ...written, messagesSeen })
  if (outcome === 'lost') throw new LeaseLostError(job.id)
  return outcome === 'unread' ? outcome : { job, transcript: [...transcript, ...messages], checkpoint, steps: step }
}

/** Stops unfinished work. The work so far is delivered as a draft. */
export function stopRound(
  deps: RoundDeps,
  round: JobRound,
  { stop, use = {} }: { stop: JobStop; use?: Partial<StepUse> },
): Promise<JobRound> {
  return recordStep(deps, round, { checkpoint: { ...round.checkpoint, stop }, use })
}

/**
 * Continues a round with messages that the work has not seen.
 *
 * @param delivered The commit that the branch now points to; null if nothing was pushed.
 */
export async function reopenRound(deps: RoundDeps, round: JobRound, delivered: string | null): Promise<JobRound> {
  const { messages, messagesSeen } = await readUnread(deps, round.job, round.checkpoint.messagesSeen)
  const conflicts = delivered === null ? round.checkpoint.tools.conflicts : []
  const tools = { ...round.checkpoint.tools, finished: null, repairs: 0, checkedState: null, conflicts }
  const moved = delivered !== null && {
    headCommit: delivered,
    branchCommit: delivered,
    update: null,
    overlay: { base: delivered, files: [] },
  }
  const fresh = { reminders: 0, delivery: null, stop: null }
  return recordStep(deps, round, {
    messages,
    checkpoint: { ...round.checkpoint, ...moved, ...fresh, tools, messagesSeen },
  })
}

/** Records a side effect and its events. @throws {LeaseLostError} */
export async function noteRound(
  { store, clock }: RoundDeps,
  { job }: Pick<JobRound, 'job'>,
  note: AgentJobNote & { events: readonly AgentJobEvent[] },
): Promise<void> {
  const isHeld = await recordSideEffect(store.durable, job, { ...note, now: clock.now() })
  if (!isHeld) throw new LeaseLostError(job.id)
}

/** Call before side effects outside the database. @throws {LeaseLostError} */
export async function requireClaim({ store }: Pick<RoundDeps, 'store'>, { job }: JobRound): Promise<void> {
  if (!(await isAgentJobHeld(store.durable, job))) throw new LeaseLostError(job.id)
}

/** @throws {LeaseLostError} */
export async function endRound(
  { store, clock }: RoundDeps,
  { job, checkpoint }: JobRound,
  end: Omit<AgentJobEnd, 'now' | 'messagesSeen'>,
): Promise<'finished' | 'unread'> {
  const { messagesSeen } = checkpoint
  const outcome = await finishAgentJob(store.durable, job, { ...end, messagesSeen, now: clock.now() })
  if (outcome === 'lost') throw new LeaseLostError(job.id)
  return outcome
}
