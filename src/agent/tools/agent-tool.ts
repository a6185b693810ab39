import type { AgentPlanItem, AgentProblem } from '../../contract/agent-job-event.ts'
import type { FileHistory } from '../../git/commits/file-history.ts'
import type { Overlay } from '../../git/overlay/overlay.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { RevertedCommit } from '../checks/job-commits.ts'
import type { SiteMoment, SiteQueries } from '../checks/job-site-reader.ts'
import type { ContextFiles } from '../contexts/context-files.ts'

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
  /** Paths from the root of the repository that have the base branch's version until they are merged by hand. */
  conflicts: string[]
}

/** Dependencies of a job's tools. Each picks the ones it needs. */
export interface AgentToolDeps {
  overlay: Overlay
  state: AgentToolState
  /** The published site; null if it has no index yet. */
  site: LiveSite | null
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  /** Asks about the site as its files are now. */
  askSite<Kind extends keyof SiteQueries>(
    kind: Kind,
    question: Omit<SiteQueries[Kind]['ask'], keyof SiteMoment>,
    signal: AbortSignal,
  ): Promise<SiteQueries[Kind]['answer']>
  /** The repository's past, up to the commit below the overlay. */
  history: FileHistory
  /** The changes of this round as a unified diff. @param path Only of this file; null for all. */
  diff(path: string | null, signal: AbortSignal): Promise<string>
  /** What taking a commit of the job back would change: see `revertJobCommit`. */
  revert(commit: string | null, signal: AbortSignal): Promise<RevertedCommit | null>
  /** Read-only repositories, under paths that begin with `@name/`. */
  contexts: ContextFiles
  /** Checks the current files. @param isWhole Report every problem, including existing ones. */
  check(options: { isWhole: boolean }, signal: AbortSignal): Promise<AgentProblem[]>
  /**
   * Finds what the current files at these paths must not contain, compared with the branch before this round.
   *
   * @param options.mayChangeEntries Whether entries of the navigation may change in files that are code.
   */
  findForbidden(
    paths: readonly string[],
    options: { mayChangeEntries: boolean },
    signal: AbortSignal,
  ): Promise<AgentProblem[]>
}
