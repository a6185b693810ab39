import { ModelCallError } from '../../models/calls/model-call-error.ts'
import type { ChatModel } from '../../models/chat-model.ts'
import { ModelFailureError } from '../../models/loop/model-failure-error.ts'
import { runToolLoop } from '../../models/loop/run-tool-loop.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { CallRepeats } from '../conversation/call-repeats.ts'
import { compactConversation } from '../conversation/compact-conversation.ts'
import { isCompactionDue } from '../conversation/conversation-state.ts'
import { viewConversation } from '../conversation/view-conversation.ts'
import { createAgentTools } from '../tools/create-agent-tools.ts'
import { describeStep, type FinishedStep } from './describe-step.ts'
import { readUnread, type SeenMessages } from './job-messages.ts'
import { isOver, type JobRound, readStepUse, recordSeenStep, recordStep } from './job-round.ts'
import type { JobWorkspace } from './job-workspace.ts'

export type StepDeps = Pick<AgentDeps, 'store' | 'clock' | 'log' | 'budgets'>

export interface StepsInput {
  round: JobRound
  workspace: JobWorkspace
  model: ChatModel
  /** The model's window; infinite for a built-in model, whose conversation is never shortened. */
  contextTokens: number
  /** The same in all calls of a round. */
  instructions: string
  site: LiveSite | null
  onRecorded(round: JobRound): void
}

/** Checking a large site is slow. */
const toolTimeoutMs = 120_000

/** Most tool calls per step. */
export const toolCallsMax = 20

/** Most tokens of the results of a step, also as a share of the window, and about how many characters one is. */
const results = { tokensMax: 60_000, shareMax: 0.25, charsPerToken: 4 }

const cutAdvice =
  'Write less at once: write the first part of the file with "write", then add one part after the other with "write" and "append": true.'

/**
 * Runs steps until the round is over.
 *
 * @throws {ModelFailureError} when the model fails.
 * @throws {LeaseLostError}
 * @throws The reason of `signal`.
 */
export async function runSteps(deps: StepDeps, input: StepsInput, signal: AbortSignal): Promise<JobRound> {
  let { round } = input
  const onRecorded = (next: JobRound) => {
    round = next
    input.onRecorded(next)
  }
  let shortenedAt = -1
  while (!isOver(round)) {
    const current = { ...input, round, onRecorded }
    const isDue = isCompactionDue(round.checkpoint.conversation, input.contextTokens)
    if (isDue && (await compact(deps, current, false, signal))) continue
    try {
      await runLoop(deps, { ...current, round }, signal)
    } catch (error) {
      if (!isOverflow(error) || round.steps === shortenedAt) throw error
      if (!(await compact(deps, { ...current, round }, true, signal))) throw error
      shortenedAt = round.steps
    }
  }
  return round
}

function isOverflow(error: unknown): boolean {
  return error instanceof ModelFailureError && error.cause instanceof ModelCallError && error.cause.fault === 'too-long'
}

/** @returns Whether the conversation is shorter now. */
async function compact(
  deps: StepDeps,
  { round, workspace, site, onRecorded, ...input }: StepsInput,
  isOverflow: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { checkpoint, transcript } = round
  const { tools: state, conversation } = checkpoint
  const startedAt = deps.clock.now()
  const {
    state: next,
    step,
    dropped,
  } = await compactConversation(
    {
      ...input,
      tools: createAgentTools({ ...workspace, state, site }),
      transcript,
      state: conversation,
      plan: state.plan,
      changes: workspace.overlay.changes(),
      isOverflow,
    },
    signal,
  )
  const recorded = await recordStep(deps, round, {
    checkpoint: { ...checkpoint, conversation: next },
    use: { ...(step && readStepUse(step)), durationMs: deps.clock.now() - startedAt },
    events:
      dropped === null
        ? []
        : [{ type: 'conversation-compacted', tokensBefore: dropped.before, tokensAfter: dropped.after }],
  })
  onRecorded(recorded)
  return dropped !== null
}

async function runLoop(deps: StepDeps, input: StepsInput, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps
  const { workspace, model, contextTokens, instructions, site, onRecorded } = input
  let { round } = input
  const { checkpoint, transcript } = round
  const isBuiltIn = contextTokens === Infinity
  const state = structuredClone(checkpoint.tools)
  const repeats = new CallRepeats(checkpoint.recentCalls)
  let mark = workspace.overlay.remember()
  let stepStartedAt = clock.now()
  let hasChanged = false
  await runToolLoop({
    model,
    instructions,
    messages: viewConversation(transcript, checkpoint.conversation),
    tools: createAgentTools({ ...workspace, state, site }),
    emit: () => undefined,
    acceptsRestart: true,
    maxSteps: Infinity,
    maxToolCalls: toolCallsMax,
    resultCharsMax: Math.min(results.tokensMax, contextTokens * results.shareMax) * results.charsPerToken,
    cutAdvice,
    toolTimeoutMs,
    signal,
    onToolError: (toolName, error) => log.error({ error, toolName, jobId: round.job.id }, 'job-tool-failed'),
    noteResult: (call, outcome) => {
      if (mark.changedPaths().length > 0) {
        hasChanged = true
        repeats.forget()
        mark = workspace.overlay.remember()
      }
      // A built-in model reads its results by their form.
      return isBuiltIn ? null : repeats.note(call, outcome)
    },
    onStepEnd: async (step) => {
      const now = clock.now()
      const durationMs = now - stepStartedAt
      stepStartedAt = now
      const before = round.checkpoint.conversation
      round = await recordModelStep(deps, {
        round,
        workspace,
        state,
        step,
        durationMs,
        repeats,
        contextTokens,
        hasChanged,
      })
      hasChanged = false
      onRecorded(round)
      const { conversation } = round.checkpoint
      const isShortened =
        conversation.elidedBefore !== before.elidedBefore || isCompactionDue(conversation, contextTokens)
      // The loop's own transcript lacks new user messages and reminders.
      const isTold = round.transcript.at(-1)?.role === 'user'
      return isOver(round) || isTold || isShortened ? 'end' : 'go-on'
    },
  })
}

async function recordModelStep(deps: StepDeps, finished: FinishedStep): Promise<JobRound> {
  const { round } = finished
  let seen: SeenMessages = { messages: [], messagesSeen: round.checkpoint.messagesSeen }
  for (;;) {
    const recorded = await recordSeenStep(deps, round, describeStep(deps, finished, seen))
    if (recorded !== 'unread') return recorded
    seen = await readUnread(deps, round.job, round.checkpoint.messagesSeen)
  }
}
