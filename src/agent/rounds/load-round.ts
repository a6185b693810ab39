import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import { readAgentJobProgress } from '../../store/agent/agent-job-steps.ts'
import type { AgentJob } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { beginConversation } from '../conversation/conversation-state.ts'
import { pinContexts } from '../contexts/pin-contexts.ts'
import type { JobCheckpoint } from './job-checkpoint.ts'
import { readConversation } from './job-messages.ts'
import { type JobRound, noteRound, recordStep, type RoundDeps } from './job-round.ts'
import type { JobPlace } from './job-workspace.ts'
import { describeUpdate, pinCommits } from './pin-commits.ts'
import { type StoredCheckpoint, unpackCheckpoint } from './stored-checkpoint.ts'
import { readConventions } from './repository-conventions.ts'

/** Consecutive claims that ended without a step. Beyond these, the job itself is presumed to kill the process. */
const fruitlessClaimsMax = 10

/** Resumes a round from its last checkpoint, or begins it. @throws {LeaseLostError} */
export async function loadRound(
  deps: RoundDeps & Pick<AgentDeps, 'log' | 'contexts'>,
  place: JobPlace,
  signal: AbortSignal,
): Promise<JobRound> {
  return (await resumeRound(deps, place.job)) ?? beginRound(deps, place, signal)
}

/** @returns Null if the round has not begun. */
async function resumeRound(deps: RoundDeps, job: AgentJob): Promise<JobRound | null> {
  const progress = await readAgentJobProgress<StoredCheckpoint>(deps.store.durable, job.id, job.round)
  if (progress === null) return null
  const { step } = progress
  const checkpoint = unpackCheckpoint(progress)
  if (job.attempt - checkpoint.attempt > fruitlessClaimsMax) {
    throw new Error(`The job ${job.id} made no progress in ${fruitlessClaimsMax} claims.`)
  }
  await noteRound(deps, { job }, { events: [{ type: 'job-resumed', attempt: job.attempt, step }] })
  // Written by `recordStep`, as messages of a model.
  return { job, checkpoint, steps: step, transcript: progress.transcript as unknown as ChatPrompt }
}

/** Pins the commits that all later stages use. */
async function beginRound(
  deps: RoundDeps & Pick<AgentDeps, 'log' | 'contexts'>,
  place: JobPlace,
  signal: AbortSignal,
): Promise<JobRound> {
  const { job, site, host } = place
  const { commits, conflicts, note } = await pinCommits(place, deps.clock.now(), signal)
  const { conventions, template } = await readConventions(host, signal)
  const contexts = await pinContexts(deps, site.id, signal)
  const { messages, messagesSeen, rounds } = await readConversation(deps, job, note)
  const checkpoint: JobCheckpoint = {
    ...commits,
    overlay: { base: commits.headCommit, files: [] },
    tools: { plan: [], finished: null, repairs: 0, problems: [], checkedState: null, conflicts },
    rounds,
    conventions,
    contexts,
    template,
    attempt: job.attempt,
    conversation: beginConversation(messages),
    recentCalls: [],
    updates: 0,
    idleSteps: 0,
    messagesSeen,
    reminders: 0,
    activeMs: 0,
    tokens: 0,
    costUsd: 0,
    recordedAt: deps.clock.now(),
    delivery: null,
    stop: null,
  }
  const instructions = conventions.map(({ path, commit }) => ({ path, commit }))
  const contextRepositories = contexts.map(({ id: _id, ...shown }) => shown)
  const started: AgentJobEvent = {
    type: 'job-started',
    model: job.model,
    branch: job.branch,
    baseCommit: commits.baseCommit,
    instructions: instructions.map(({ path }) => path),
    ...(contextRepositories.length > 0 && { contextRepositories }),
  }
  const unbegun: JobRound = { job, checkpoint, transcript: [], steps: -1 }
  return recordStep(deps, unbegun, {
    checkpoint,
    messages,
    note: { instructions, contextRepositories },
    events: [started, ...describeUpdate({ commits, conflicts })],
  })
}
