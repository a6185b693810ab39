import type { AgentJobContext } from '../../contract/agent-job.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import { type AgentJobMessage, listAgentJobMessages } from '../../store/agent-job-messages.ts'
import {
  type AgentJobEnd,
  type AgentJobNote,
  finishAgentJob,
  noteAgentJob,
  readAgentJobProgress,
  recordAgentJobStep,
} from '../../store/agent-job-steps.ts'
import type { AgentJob } from '../../store/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { JobCheckpoint, JobStop, RoundStart } from './job-checkpoint.ts'
import { LeaseLostError } from './lease-lost-error.ts'

type RoundDeps = Pick<AgentDeps, 'store' | 'clock'>

/** What a step has used, apart from what it did. */
export interface StepUse {
  inputTokens: number
  outputTokens: number
  costUsd: number | null
  durationMs: number
}

/** Claims in a row that ended without a step: with more, it is the job that ends the process. */
const fruitlessClaimsMax = 10

const nothingUsed: StepUse = { inputTokens: 0, outputTokens: 0, costUsd: 0, durationMs: 0 }

/** A round of a job as one claim sees it: its conversation and its newest checkpoint. Every write is fenced by the claim. */
export class JobRound {
  readonly job: AgentJob
  readonly transcript: ChatPrompt
  readonly #deps: RoundDeps
  #checkpoint: JobCheckpoint
  #step: number

  private constructor(
    deps: RoundDeps,
    job: AgentJob,
    state: { checkpoint: JobCheckpoint; transcript: ChatPrompt; step: number },
  ) {
    this.#deps = deps
    this.job = job
    this.#checkpoint = state.checkpoint
    this.transcript = state.transcript
    this.#step = state.step
  }

  /** Takes a round up where its last checkpoint left it; null for one that has not begun. */
  static async resume(deps: RoundDeps, job: AgentJob): Promise<JobRound | null> {
    const progress = await readAgentJobProgress<JobCheckpoint>(deps.store.durable, job.id, job.round)
    if (progress === null) return null
    if (job.attempt - progress.checkpoint.attempt > fruitlessClaimsMax) {
      throw new Error(`The job ${job.id} came no further in ${fruitlessClaimsMax} claims.`)
    }
    // Written by this class, as messages of a model.
    const transcript = progress.transcript as unknown as ChatPrompt
    const round = new JobRound(deps, job, { ...progress, transcript })
    const event = { type: 'job-resumed', attempt: job.attempt, step: progress.step } as const
    await round.note({ events: [event] })
    return round
  }

  /** Begins a round with the messages of the user, earlier ones of the job included. */
  static async begin(deps: RoundDeps, job: AgentJob, start: RoundStart): Promise<JobRound> {
    const messages = await listAgentJobMessages(deps.store.durable, job.id, 0)
    const messagesSeen = messages.at(-1)?.number ?? 0
    const checkpoint: JobCheckpoint = { ...start, messagesSeen, attempt: job.attempt }
    const round = new JobRound(deps, job, { checkpoint, transcript: [], step: -1 })
    const instructions = start.conventions.map(({ path, commit }) => ({ path, commit }))
    const contextRepositories = (start.contexts ?? []).map(({ id: _id, ...shown }) => shown)
    const started: AgentJobEvent = {
      type: 'job-started',
      model: job.model,
      branch: job.branch,
      baseCommit: start.baseCommit,
      instructions: instructions.map(({ path }) => path),
      ...(contextRepositories.length > 0 && { contextRepositories }),
    }
    await round.record({ messages: toConversation(job, messages), checkpoint, use: nothingUsed, events: [started] })
    await round.note({ instructions, contextRepositories, events: [] })
    return round
  }

  get checkpoint(): JobCheckpoint {
    return this.#checkpoint
  }

  /** Steps of the model so far. */
  get steps(): number {
    return this.#step
  }

  /** Whether nothing is left but to deliver what was done. */
  get isOver(): boolean {
    return this.#checkpoint.tools.finished !== null || this.#checkpoint.stop !== null
  }

  /** @throws {LeaseLostError} when the claim was lost; nothing was written then. */
  async record(step: {
    messages: ChatPrompt
    checkpoint: JobCheckpoint
    use: StepUse
    events: readonly AgentJobEvent[]
  }): Promise<void> {
    const { use } = step
    const now = this.#deps.clock.now()
    const before = step.checkpoint
    const checkpoint: JobCheckpoint = {
      ...before,
      attempt: this.job.attempt,
      recordedAt: now,
      activeMs: before.activeMs + use.durationMs,
      tokens: before.tokens + use.inputTokens + use.outputTokens,
      costUsd: before.costUsd + (use.costUsd ?? 0),
    }
    const written = {
      round: this.job.round,
      step: this.#step + 1,
      transcript: step.messages,
      checkpoint,
      inputTokens: use.inputTokens,
      outputTokens: use.outputTokens,
      costUsd: use.costUsd,
      events: step.events,
      createdAt: now,
    }
    if ((await recordAgentJobStep(this.#deps.store.durable, this.job, written)) !== 'recorded') {
      throw new LeaseLostError(this.job.id)
    }
    this.#step += 1
    this.#checkpoint = checkpoint
    this.transcript.push(...step.messages)
  }

  /** Ends the work without its being finished. What is done is delivered as a draft. */
  async stop(stop: JobStop, use: Partial<StepUse> = {}): Promise<void> {
    const checkpoint = { ...this.#checkpoint, stop }
    await this.record({ messages: [], checkpoint, use: { ...nothingUsed, ...use }, events: [] })
  }

  /** Fixes what the commit of the round depends on, before it is made. */
  async recordDelivery(delivery: NonNullable<JobCheckpoint['delivery']>): Promise<void> {
    const checkpoint = { ...this.#checkpoint, delivery }
    await this.record({ messages: [], checkpoint, use: nothingUsed, events: [] })
  }

  /**
   * Goes on because the user has written something that the work has not seen.
   *
   * @param delivered The commit that the branch names since; null when nothing was pushed.
   */
  async reopen(delivered: string | null): Promise<void> {
    const { messages, messagesSeen } = await this.readNewMessages()
    const tools = { ...this.#checkpoint.tools, finished: null, mendings: 0, checkedState: null }
    const moved = delivered !== null && {
      headCommit: delivered,
      branchCommit: delivered,
      overlay: { base: delivered, files: [] },
    }
    const fresh = { reminders: 0, delivery: null, stop: null }
    const checkpoint = { ...this.#checkpoint, ...moved, ...fresh, tools, messagesSeen }
    await this.record({ messages, checkpoint, use: nothingUsed, events: [] })
  }

  /** Messages of the user that came since. */
  async readNewMessages(): Promise<{ messages: ChatPrompt; messagesSeen: number }> {
    const { messagesSeen } = this.#checkpoint
    const found = await listAgentJobMessages(this.#deps.store.durable, this.job.id, messagesSeen)
    return { messages: found.map(toUserMessage), messagesSeen: found.at(-1)?.number ?? messagesSeen }
  }

  /** @throws {LeaseLostError} */
  async note(note: AgentJobNote & { events: readonly AgentJobEvent[] }): Promise<void> {
    const held = await noteAgentJob(this.#deps.store.durable, this.job, { ...note, now: this.#deps.clock.now() })
    if (!held) throw new LeaseLostError(this.job.id)
  }

  /** @throws {LeaseLostError} */
  async finish(end: Omit<AgentJobEnd, 'now' | 'messagesSeen'>): Promise<'finished' | 'unread'> {
    const { messagesSeen } = this.#checkpoint
    const written = { ...end, messagesSeen, now: this.#deps.clock.now() }
    const outcome = await finishAgentJob(this.#deps.store.durable, this.job, written)
    if (outcome === 'lost') throw new LeaseLostError(this.job.id)
    return outcome
  }
}

const earlierCharsMax = 2_000

/** The request of this round; what was asked before it, in short, so that "the same for the other page" means something. */
function toConversation(job: AgentJob, messages: readonly AgentJobMessage[]): ChatPrompt {
  const earlier = messages.filter(({ round }) => round < job.round)
  const now = messages.filter(({ round }) => round >= job.round)
  if (earlier.length === 0) return now.map(toUserMessage)
  const asked = earlier.map(({ text }) => `- ${text.slice(0, earlierCharsMax)}`).join('\n')
  const text = `Requests of this job that were worked on before, the files hold the outcome:\n${asked}`
  return [
    { role: 'user', content: [{ type: 'text', text }] },
    { role: 'assistant', content: [{ type: 'text', text: 'These are done.' }] },
    ...now.map(toUserMessage),
  ]
}

function toUserMessage({ text, context }: AgentJobMessage): ChatPrompt[number] {
  const parts = [text, ...context.map(describeContext)]
  return { role: 'user', content: parts.map((part) => ({ type: 'text', text: part })) }
}

function describeContext({ type, value, path }: AgentJobContext): string {
  return `The user has this before them, as data: ${JSON.stringify({ type, ...(path && { path }), value })}`
}
