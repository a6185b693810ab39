import type { LoopStep } from '../../models/loop/run-tool-loop.ts'
import type { AgentBudgets } from '../agent-deps.ts'
import { advanceConversation } from '../conversation/advance-conversation.ts'
import { type CallRepeats, stoppedAt } from '../conversation/call-repeats.ts'
import { createNote } from '../conversation/view-conversation.ts'
import type { AgentToolState } from '../tools/agent-tool.ts'
import { findSpentBudget, isNearlySpent, type RoundUse } from './job-budget.ts'
import type { JobStop } from './job-checkpoint.ts'
import type { SeenMessages } from './job-messages.ts'
import { addUse, type JobRound, readStepUse, type RoundStep } from './job-round.ts'
import type { JobWorkspace } from './job-workspace.ts'
import { describeStepEvents } from './step-events.ts'

/** A step that is not recorded yet. */
export interface FinishedStep {
  round: JobRound
  workspace: JobWorkspace
  state: AgentToolState
  step: LoopStep
  durationMs: number
  repeats: CallRepeats
  contextTokens: number
  /** Whether a file changed. */
  hasChanged: boolean
}

/** Steps without a change of files, plan or problems after which a model is nudged, and after which its work ends. */
const idleSteps = { nudgedAt: 15, stoppedAt: 25 }

/** Reminders for a model that stops without finishing. */
const remindersMax = 2

const reminder = createNote(
  'You have stopped without calling finish. Go on with the work, or call finish with a title and a summary.',
)
const cutReminder = createNote(
  'Your output was cut at its limit, and nothing of it was done. Go on, with less in each step.',
)
const idleNote = createNote(
  `Nothing has changed in ${idleSteps.nudgedAt} steps: no file, no plan, no problem. Make the change that was asked for with what you know now, write a plan if there is much to look at, or call finish; after ${idleSteps.stoppedAt} such steps the work ends.`,
)
const budgetNote = createNote(
  'Three quarters of the budget of this work are used. Finish the page at hand and what must not be left half done, then call finish and name what is left.',
)

/** What a step leads to. @param seen User messages that came while it ran. */
export function describeStep(
  { budgets }: { budgets: AgentBudgets },
  finished: FinishedStep,
  { messages: unread, messagesSeen }: SeenMessages,
): RoundStep {
  const { round, workspace, state, step, durationMs, repeats, contextTokens } = finished
  const { checkpoint, steps } = round
  const tools = structuredClone(state)
  if (unread.length > 0) Object.assign(tools, { finished: null, checkedState: null })
  const isSilent = step.calls.length === 0 && unread.length === 0
  const use = { ...readStepUse(step), durationMs }
  const [before, after] = [countRound(round), { steps: steps + 1, ...addUse(checkpoint, use) }]
  const idle = unread.length > 0 ? 0 : countIdleSteps(finished)
  const stop = findStop(budgets, finished, { isSilent, idle, after })
  const isGoingOn = stop === null && tools.finished === null
  const notes = [
    ...(isSilent && isGoingOn ? [step.finishReason === 'length' ? cutReminder : reminder] : []),
    ...(isGoingOn && idle === idleSteps.nudgedAt ? [idleNote] : []),
    ...(isGoingOn && isNearlySpent(budgets, before, after) ? [budgetNote] : []),
  ]
  const messages = [...step.messages, ...unread, ...notes]
  const { conversation } = checkpoint
  const transcript = [...round.transcript, ...messages]
  const advanced = advanceConversation(transcript, conversation, { ...step, messages }, contextTokens)
  return {
    messages,
    checkpoint: {
      ...checkpoint,
      overlay: workspace.overlay.toJSON(),
      tools,
      conversation: advanced.state,
      recentCalls: repeats.recent,
      idleSteps: idle,
      messagesSeen,
      reminders: checkpoint.reminders + (isSilent && isGoingOn ? 1 : 0),
      stop: tools.finished === null ? stop : null,
    },
    use,
    events: [...describeStepEvents(steps + 1, step, state), ...advanced.events],
  }
}

function countRound({ checkpoint: { tokens, costUsd, activeMs }, steps }: JobRound): RoundUse {
  return { tokens, costUsd, activeMs, steps }
}

function findStop(
  budgets: AgentBudgets,
  { round, step, repeats }: FinishedStep,
  { isSilent, idle, after }: { isSilent: boolean; idle: number; after: RoundUse },
): JobStop | null {
  if (step.refusal !== null) return { code: 'model_required', message: step.refusal }
  if (isSilent && round.checkpoint.reminders >= remindersMax) {
    return notFinished('The model stopped without finishing.')
  }
  if (repeats.isStuck) return notFinished(`The model made the same call ${stoppedAt} times without getting further.`)
  if (idle >= idleSteps.stoppedAt) return notFinished(`The model has changed nothing in ${idle} steps.`)
  return findSpentBudget(budgets, after)
}

/** A built-in model reads as much as its instruction needs. */
function countIdleSteps({ round, state, contextTokens, hasChanged }: FinishedStep): number {
  const { tools, idleSteps: before } = round.checkpoint
  const seen = ({ plan, problems }: AgentToolState) => JSON.stringify([plan, problems])
  return hasChanged || contextTokens === Infinity || seen(tools) !== seen(state) ? 0 : before + 1
}

function notFinished(why: string): JobStop {
  return { code: 'not_finished', message: `${why} The work so far is kept: send a message to continue.` }
}
