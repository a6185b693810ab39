import type { ChatModel } from '../../models/chat-model.ts'
import type { BilledModel } from '../../models/calls/model-account.ts'
import { ModelCallError } from '../../models/calls/model-call-error.ts'
import { ModelFailureError } from '../../models/loop/model-failure-error.ts'
import { type LoopStep, runToolLoop } from '../../models/loop/run-tool-loop.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { AgentToolState } from '../tools/agent-tool.ts'
import { createAgentTools } from '../tools/create-agent-tools.ts'
import { writeInstructions } from './instructions.ts'
import { findSpentBudget, findSpentDay, timeReached } from './job-budget.ts'
import { JobAccount } from './job-account.ts'
import type { JobStop } from './job-checkpoint.ts'
import { readUnread, type SeenMessages, toUserMessage } from './job-messages.ts'
import { isOver, type JobRound, noteRound, recordSeenStep, type RoundStep, stopRound } from './job-round.ts'
import type { JobPlace, JobWorkspace } from './job-workspace.ts'
import { describeStepEvents } from './step-events.ts'

type WorkDeps = Pick<AgentDeps, 'store' | 'clock' | 'log' | 'budgets' | 'models' | 'sites'>

/** A round in progress, as the stages of its pipeline hand it on. */
export interface RoundWork {
  round: JobRound
  place: JobPlace
  workspace: JobWorkspace
}

/** Checking a large site is slow. */
const toolTimeoutMs = 120_000

/** Most tool calls per step. */
const toolCallsMax = 64

/** Reminders for a model that stops without finishing. */
const remindersMax = 2

const reminder = toUserMessage(
  'You have stopped without calling finish. Go on with the work, or call finish with a title and a summary.',
)

/**
 * Lets the model work until it finishes, exhausts a budget or fails, and records each step.
 *
 * @returns The round after its last step.
 * @throws {LeaseLostError}
 */
export async function workOnRound(deps: WorkDeps, work: RoundWork, signal: AbortSignal): Promise<JobRound> {
  const { clock, budgets, log } = deps
  let { round } = work
  const { job } = round
  const spent = await findSpentDay(deps, job.projectId)
  if (spent !== null) return stopRound(deps, round, { stop: spent })
  const account = new JobAccount(deps, job.projectId, round.checkpoint)
  const model = (await findModel(deps, round)).billTo(account)
  const site = await deps.sites.find(work.place.site.slug).catch(() => null)
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(), Math.max(1, budgets.activeMs - round.checkpoint.activeMs))
  const startedAt = clock.now()
  const onRecorded = (next: JobRound) => void (round = next)
  try {
    while (!isOver(round)) {
      await runLoop(deps, { ...work, round, model, site, onRecorded }, AbortSignal.any([signal, time.signal]))
    }
    return round
  } catch (error) {
    signal.throwIfAborted()
    const use = { durationMs: clock.now() - startedAt }
    if (time.signal.aborted) return await stopRound(deps, round, { stop: timeReached(budgets), use })
    if (!(error instanceof ModelFailureError)) throw error
    if (isOverBudget(error)) return await stopRound(deps, round, { stop: account.refusal, use })
    log.warn({ error, jobId: job.id }, 'job-model-failed')
    const message = `${error.message} The work so far is kept.`
    return await stopRound(deps, round, { stop: { code: 'model_failed', message } })
  } finally {
    clearTimeout(timer)
  }
}

function isOverBudget({ cause }: ModelFailureError): boolean {
  return cause instanceof ModelCallError && cause.fault === 'ceiling'
}

/** The job's model, or the current default if the settings no longer have it. */
async function findModel(deps: WorkDeps, round: JobRound): Promise<BilledModel> {
  const current = await deps.models()
  const model = current.find(round.job.model)
  if (model !== null) return model
  const chosen = current.find(current.defaultId)
  if (chosen === null) throw new Error(`The model ${current.defaultId} is configured but not available.`)
  await noteRound(deps, round, { model: current.defaultId, events: [] })
  return chosen
}

interface LoopInput extends RoundWork {
  model: ChatModel
  site: LiveSite | null
  onRecorded(round: JobRound): void
}

async function runLoop(
  deps: WorkDeps,
  { round: begun, workspace, model, site, onRecorded }: LoopInput,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = deps
  let round = begun
  const state = structuredClone(round.checkpoint.tools)
  let stepStartedAt = clock.now()
  await runToolLoop({
    model,
    instructions: writeInstructions(round.checkpoint.conventions, workspace.contexts.pins),
    messages: round.transcript,
    tools: createAgentTools({ ...workspace, state, site }),
    emit: () => undefined,
    maxSteps: Infinity,
    maxToolCalls: toolCallsMax,
    toolTimeoutMs,
    signal,
    onToolError: (toolName, error) => log.error({ error, toolName, jobId: round.job.id }, 'job-tool-failed'),
    onStepEnd: async (step) => {
      const now = clock.now()
      const durationMs = now - stepStartedAt
      stepStartedAt = now
      round = await recordModelStep(deps, { round, workspace, state, step, durationMs })
      onRecorded(round)
      // The loop's own transcript lacks new user messages and reminders.
      const isTold = round.transcript.at(-1)?.role === 'user'
      return isOver(round) || isTold ? 'end' : 'go-on'
    },
  })
}

interface FinishedStep extends Pick<RoundWork, 'round' | 'workspace'> {
  state: AgentToolState
  step: LoopStep
  durationMs: number
}

async function recordModelStep(deps: WorkDeps, finished: FinishedStep): Promise<JobRound> {
  const { round } = finished
  let seen: SeenMessages = { messages: [], messagesSeen: round.checkpoint.messagesSeen }
  for (;;) {
    const recorded = await recordSeenStep(deps, round, await describeStep(deps, finished, seen))
    if (recorded !== 'unread') return recorded
    seen = await readUnread(deps, round.job, round.checkpoint.messagesSeen)
  }
}

async function describeStep(
  deps: WorkDeps,
  finished: FinishedStep,
  { messages: unread, messagesSeen }: SeenMessages,
): Promise<RoundStep> {
  const { round, workspace, state, step, durationMs } = finished
  const { checkpoint, job, steps } = round
  const tools = structuredClone(state)
  if (unread.length > 0) Object.assign(tools, { finished: null, checkedState: null })
  const isSilent = step.calls.length === 0 && unread.length === 0
  const stop = findStop(deps, finished, isSilent)
  const isReminded = isSilent && stop === null
  return {
    messages: [...step.messages, ...unread, ...(isReminded ? [reminder] : [])],
    checkpoint: {
      ...checkpoint,
      overlay: workspace.overlay.toJSON(),
      tools,
      messagesSeen,
      reminders: checkpoint.reminders + (isReminded ? 1 : 0),
      stop: tools.finished === null ? (stop ?? (await findSpentDay(deps, job.projectId))) : null,
    },
    use: { ...step.usage, costUsd: step.costUsd, durationMs },
    events: describeStepEvents(steps + 1, step, state),
  }
}

function findStop({ budgets }: WorkDeps, { round, step, durationMs }: FinishedStep, isSilent: boolean): JobStop | null {
  if (step.refusal !== null) return { code: 'model_required', message: step.refusal }
  const { checkpoint } = round
  if (isSilent && checkpoint.reminders >= remindersMax) {
    const message = 'The model stopped without finishing. The work so far is kept: send a message to continue.'
    return { code: 'not_finished', message }
  }
  const { inputTokens, outputTokens } = step.usage
  return findSpentBudget(budgets, {
    steps: round.steps + 1,
    tokens: checkpoint.tokens + inputTokens + outputTokens,
    costUsd: checkpoint.costUsd + (step.costUsd ?? 0),
    activeMs: checkpoint.activeMs + durationMs,
  })
}
