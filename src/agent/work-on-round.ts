import type { AgentJobEvent } from '../contract/agent-job-event.ts'
import type { ChatModel, ChatPrompt } from '../models/chat-model.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import { ModelCallError } from '../models/calls/model-call-error.ts'
import { ModelFailureError } from '../models/loop/model-failure-error.ts'
import { type LoopStep, runToolLoop } from '../models/loop/run-tool-loop.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { AgentToolState } from './agent-tool.ts'
import { createAgentTools } from './create-agent-tools.ts'
import { writeInstructions } from './instructions.ts'
import { findSpentBudget, findSpentDay, timeReached } from './job-budget.ts'
import { JobAccount } from './job-account.ts'
import type { JobStop } from './job-checkpoint.ts'
import type { JobRound } from './job-round.ts'
import type { JobPlace, JobWorkspace } from './job-workspace.ts'
import { describeStepEvents } from './step-events.ts'

export interface RoundWork {
  round: JobRound
  place: JobPlace
  workspace: JobWorkspace
}

/** Checks of a large site take their time. */
const toolTimeoutMs = 120_000

/** Tool calls that run in one step. */
const toolCallsMax = 64

/** How often a model that stops without finishing is reminded of it. */
const remindersMax = 2

const reminder =
  'You have stopped without calling finish. Go on with the work, or call finish with a title and a summary.'

/** Lets the model work until it has finished, a budget is used up, or it cannot go on; each step is recorded. */
export async function workOnRound(deps: AgentDeps, work: RoundWork, signal: AbortSignal): Promise<void> {
  const { round } = work
  const spent = await findSpentDay(deps, round.job.projectId)
  if (spent !== null) return round.stop(spent)
  const account = new JobAccount(deps, round.job.projectId, round.checkpoint)
  const model = (await findModel(deps, round)).billTo(account)
  const site = await deps.sites.find(work.place.site.slug).catch(() => null)
  const time = new AbortController()
  const timeLeftMs = Math.max(1, deps.budgets.activeMs - round.checkpoint.activeMs)
  const timer = setTimeout(() => time.abort(), timeLeftMs)
  const startedAt = deps.clock.now()
  try {
    while (!round.isOver) await runLoop(deps, { ...work, model, site }, AbortSignal.any([signal, time.signal]))
  } catch (error) {
    signal.throwIfAborted()
    const durationMs = deps.clock.now() - startedAt
    if (time.signal.aborted) return await round.stop(timeReached(deps.budgets), { durationMs })
    if (!(error instanceof ModelFailureError)) throw error
    if (isOverBudget(error)) return await round.stop(account.refusal, { durationMs })
    deps.log.warn({ error, jobId: round.job.id }, 'job-model-failed')
    await round.stop({ code: 'model_failed', message: `${error.message} What is done is kept.` })
  } finally {
    clearTimeout(timer)
  }
}

function isOverBudget({ cause }: ModelFailureError): boolean {
  return cause instanceof ModelCallError && cause.fault === 'ceiling'
}

/** The model of a job may have been taken out of the settings since; the one that is set now takes its place. */
async function findModel({ models }: AgentDeps, round: JobRound): Promise<BilledModel> {
  const current = await models()
  const model = current.find(round.job.model)
  if (model !== null) return model
  const chosen = current.find(current.defaultId)
  if (chosen === null) throw new Error(`The model ${current.defaultId} is set and not there.`)
  await round.note({ model: current.defaultId, events: [] })
  return chosen
}

interface LoopInput extends RoundWork {
  model: ChatModel
  site: LiveSite | null
}

async function runLoop(deps: AgentDeps, input: LoopInput, signal: AbortSignal): Promise<void> {
  const { round, workspace, model, site } = input
  const state: AgentToolState = structuredClone(round.checkpoint.tools)
  let stepStartedAt = deps.clock.now()
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
    onToolError: (toolName, error) => deps.log.error({ error, toolName, jobId: round.job.id }, 'job-tool-failed'),
    onStepEnd: async (step) => {
      const now = deps.clock.now()
      const durationMs = now - stepStartedAt
      stepStartedAt = now
      return recordStep(deps, { round, workspace, state, step, durationMs })
    },
  })
}

interface FinishedStep extends Pick<RoundWork, 'round' | 'workspace'> {
  state: AgentToolState
  step: LoopStep
  durationMs: number
}

async function recordStep(deps: AgentDeps, finished: FinishedStep): Promise<'go-on' | 'end'> {
  const { round, workspace, state, step, durationMs } = finished
  const events: AgentJobEvent[] = describeStepEvents(round.steps + 1, step, state)
  const { messages: unread, messagesSeen } = await round.readNewMessages()
  if (unread.length > 0) Object.assign(state, { finished: null, checkedState: null })
  const isSilent = step.calls.length === 0 && unread.length === 0
  const before = round.checkpoint
  const stop = findStop(deps, finished, isSilent)
  const isReminded = isSilent && stop === null
  const messages: ChatPrompt = [
    ...step.messages,
    ...unread,
    ...(isReminded ? [{ role: 'user' as const, content: [{ type: 'text' as const, text: reminder }] }] : []),
  ]
  await round.record({
    messages,
    checkpoint: {
      ...before,
      overlay: workspace.overlay.toJSON(),
      tools: structuredClone(state),
      messagesSeen,
      reminders: before.reminders + (isReminded ? 1 : 0),
      stop: state.finished === null ? (stop ?? (await findSpentDay(deps, round.job.projectId))) : null,
    },
    use: { ...step.usage, costUsd: step.costUsd, durationMs },
    events,
  })
  return round.isOver || unread.length > 0 || isReminded ? 'end' : 'go-on'
}

function findStop(deps: AgentDeps, { round, step, durationMs }: FinishedStep, isSilent: boolean): JobStop | null {
  if (step.refusal !== null) return { code: 'model_required', message: step.refusal }
  const { checkpoint } = round
  if (isSilent && checkpoint.reminders >= remindersMax) {
    const message = 'The model stopped without finishing. What is done is kept: send a message to go on.'
    return { code: 'not_finished', message }
  }
  const { inputTokens, outputTokens } = step.usage
  return findSpentBudget(deps.budgets, {
    steps: round.steps + 1,
    tokens: checkpoint.tokens + inputTokens + outputTokens,
    costUsd: checkpoint.costUsd + (step.costUsd ?? 0),
    activeMs: checkpoint.activeMs + durationMs,
  })
}
