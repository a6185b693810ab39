import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { CodeHost } from '../codehost/code-host.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import type { ContextRepositories } from '../sites/context-repositories.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { Site } from '../store/sites.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { CheckThread } from './check-thread.ts'

/** The models that jobs may use, by `provider/model`. */
export interface AgentModels {
  /** What a job uses that names none. */
  defaultId: string
  ids: readonly string[]
  /** @param id One of `ids`. */
  find(id: string): BilledModel | null
}

/** What the requests that make and change jobs need. */
export interface AgentRequestDeps {
  store: Store
  clock: Clock
  ids: IdSource
  /** The models as they are set now. */
  models(): Promise<AgentModels>
  /** The host of a site's repository; null where there is none that takes pull requests. */
  openHost(site: Site): Promise<CodeHost | null>
  /** Reads what the agent may read beside the repository of a site. */
  contexts: ContextRepositories
  /** The repository of Docent's own documentation, which a project edits only where it has no other. */
  demoRepository: string
  /** An existing folder for files of git that are there only meanwhile. */
  scratchFolder: string
  budgets: AgentBudgets
  /** Tells the worker that there is something to do. */
  wakeWorker(): void
}

/** How much a job may use. Reaching one of these ends it, and what is done becomes a draft. */
export interface AgentBudgets {
  /** Calls of the model in one round of a job. */
  steps: number
  /** Input and output tokens of one round. */
  tokens: number
  /** Time that one round is worked on, waiting in the queue not counted. */
  activeMs: number
  /** US dollars of one round; counts only what has a known price. */
  roundUsd: number
  /** US dollars of all jobs of a project and UTC day. */
  projectDayUsd: number
  /** Tokens of all jobs of a project and UTC day. */
  projectDayTokens: number
}

/** What working on jobs needs. */
export interface AgentDeps extends AgentRequestDeps {
  log: Log
  sites: LiveSites
  checks: CheckThread
}
