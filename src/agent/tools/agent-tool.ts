import type { AgentPlanItem, AgentProblem } from '../../contract/agent-job-event.ts'
import type { GrepOutcome } from '../../git/trees/grep-tree.ts'
import type { Overlay } from '../../git/overlay/overlay.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { ContextFiles, GrepQuery } from '../contexts/context-files.ts'

/** The agent's own description of its work. */
export interface FinishedWork {
  /** Becomes the title of the pull request. */
  title: string
  summary: string
  /** What is left undone; empty if nothing is. */
  notDone: string
}

/** The part of a job's state that tools change. Part of each checkpoint. */
export interface AgentToolState {
  plan: AgentPlanItem[]
  /** Set once the work is accepted as finished. */
  finished: FinishedWork | null
  /** How often the work was returned for repair. */
  repairs: number
  /** Problems found by the latest check. */
  problems: AgentProblem[]
  /** Digest of the files at the latest attempt to finish. */
  checkedState: string | null
}

/** Dependencies of a job's tools. Each picks the ones it needs. */
export interface AgentToolDeps {
  overlay: Overlay
  state: AgentToolState
  /** The published site; null if it has no index yet. */
  site: LiveSite | null
  /** The format's configuration file, such as `docs.json`; null if the site has none that tools can edit. */
  navigationFile: string | null
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepOutcome>
  /** Read-only repositories, under paths that begin with `@name/`. */
  contexts: ContextFiles
  /** Checks the current files. @param isWhole Report every problem, including existing ones. */
  check(options: { isWhole: boolean }, signal: AbortSignal): Promise<AgentProblem[]>
  /** Finds what the current files at these paths must not contain, compared with the branch before this round. */
  findForbidden(paths: readonly string[], signal: AbortSignal): Promise<AgentProblem[]>
}
