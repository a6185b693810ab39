import type { SavedOverlay } from '../../git/overlay.ts'
import type { AgentToolState } from '../tools/agent-tool.ts'
import type { ContextPin } from '../contexts/pin-contexts.ts'
import type { Convention } from './repository-conventions.ts'

/** Where the work on a round stands after a step: everything that another worker needs to go on. */
export interface JobCheckpoint {
  /** The commit that the branch to merge into named when the round began. Checks compare with it. */
  baseCommit: string
  /** The commit that the overlay lies over: the tip of the job's branch, or the base for a new branch. */
  headCommit: string
  /** What the job's branch named when the round began; null for a branch that was not there. */
  branchCommit: string | null
  overlay: SavedOverlay
  tools: AgentToolState
  conventions: Convention[]
  contexts: ContextPin[]
  /** The repository's template of pull requests. */
  template: string | null
  /** The claim that recorded it: many more claims since, and none of them came any further. */
  attempt: number
  /** How many messages of the user are in the conversation. */
  messagesSeen: number
  /** How often the model was reminded to finish. */
  reminders: number
  /** Milliseconds that the round was worked on so far. */
  activeMs: number
  /** Tokens and US dollars that the round has used so far; dollars count only what has a known price. */
  tokens: number
  costUsd: number
  /** UTC milliseconds; gives commits their time, so that doing it again gives the same commit. */
  recordedAt: number
  /** Set before the change is pushed: the time of the commit, and the tip that it is put on where the base has moved. */
  delivery: { at: number; onto: string | null } | null
  /** Why the round ends without the work being finished; null for one that goes on or was finished. */
  stop: JobStop | null
}

/** An end that the agent did not choose. */
export interface JobStop {
  code: 'budget_reached' | 'model_failed' | 'model_required' | 'not_finished'
  message: string
}
