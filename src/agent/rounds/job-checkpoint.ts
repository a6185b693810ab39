import type { SavedOverlay } from '../../git/overlay/overlay.ts'
import type { AgentToolState } from '../tools/agent-tool.ts'
import type { ConversationState } from '../conversation/conversation-state.ts'
import type { ContextPin } from '../contexts/pin-contexts.ts'
import type { RoundSummary } from './round-summary.ts'
import type { Convention } from './repository-conventions.ts'

/** A merge of the base branch into the job's branch: what is needed to write the same commit again. */
export interface BranchUpdate {
  /** The tip of the base branch. */
  base: string
  /** UTC milliseconds. */
  at: number
}

/** The state of a round after a step: everything another worker needs to continue. */
export interface JobCheckpoint {
  /** The tip of the base branch when the round began. Checks compare with it. */
  baseCommit: string
  /** The commit below the overlay: the tip of the job's branch, or the base for a new branch. */
  headCommit: string
  /** The tip of the job's branch when the round began; null if the branch did not exist. */
  branchCommit: string | null
  /** How `headCommit` brings `branchCommit` up to date with the base; null if they are one commit. */
  update: BranchUpdate | null
  /** How often the round has merged a base that moved while it worked. */
  updates: number
  overlay: SavedOverlay
  tools: AgentToolState
  /** The rounds before this one, oldest first. */
  rounds: RoundSummary[]
  conventions: Convention[]
  contexts: ContextPin[]
  /** The repository's pull-request template. */
  template: string | null
  /** The claim that recorded it. If many later claims got no further, the job kills its process. */
  attempt: number
  conversation: ConversationState
  /** Digests of the newest calls, to notice repetitions. */
  recentCalls: string[]
  /** Steps since files, plan or problems last changed. */
  idleSteps: number
  /** How many user messages the conversation contains. */
  messagesSeen: number
  /** Reminders to finish so far. */
  reminders: number
  /** Working time of the round so far. */
  activeMs: number
  /** Use of the round so far: weighed tokens of calls without a known price, dollars of the others. */
  tokens: number
  costUsd: number
  /** UTC milliseconds. Commits take this time, so that repeating one gives the same id. */
  recordedAt: number
  /** Set before pushing: the time of the commit, the tip of the base, and whether to rebase onto it. */
  delivery: { at: number; onto: string | null; base: string } | null
  /** Why unfinished work stops; null while it continues or if it was finished. */
  stop: JobStop | null
}

/** A reason to stop that the agent did not choose. */
export interface JobStop {
  code: 'budget_reached' | 'conflicting' | 'model_failed' | 'model_required' | 'not_finished'
  message: string
}
