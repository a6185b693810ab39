import type { AgentPlanItem, AgentProblem } from '../../contract/agent-job-event.ts'
import type { GrepOutcome } from '../../git/grep-tree.ts'
import type { Overlay } from '../../git/overlay.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { ContextFiles } from '../contexts/context-files.ts'

/** What the agent's own words about its work are. */
export interface FinishedWork {
  /** Becomes the title of the pull request. */
  title: string
  summary: string
  /** What it left undone; empty when nothing. */
  notDone: string
}

/** The part of a job's state that tools change. It is kept with each checkpoint. */
export interface AgentToolState {
  plan: AgentPlanItem[]
  /** Set once the work was accepted as finished. */
  finished: FinishedWork | null
  /** How often the work was given back for repair. */
  repairs: number
  /** Problems that the newest check found. */
  problems: AgentProblem[]
  /** Names the state of the files that the newest check of a finished work looked at. */
  checkedState: string | null
}

/** What the tools of a job work on. */
export interface AgentToolDeps {
  overlay: Overlay
  state: AgentToolState
  /** The site as it is served now; null while it has no index. */
  site: LiveSite | null
  /** The format's own configuration file, such as `docs.json`; null where the site has none that tools keep up. */
  navigationFile: string | null
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepOutcome>
  /** What may be read beside them, under paths that begin with `@name/`. */
  contexts: ContextFiles
  /** Looks at the files as they are now. @param isWhole Every problem, also those that were there before. */
  check(options: { isWhole: boolean }, signal: AbortSignal): Promise<AgentProblem[]>
}

export interface GrepQuery {
  pattern: string
  isRegex: boolean
  ignoreCase: boolean
  pathPrefix: string
  matchesMax: number
}
