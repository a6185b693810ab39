import type { IdSource } from '../base/ids.ts'
import type { CodeHost } from '../codehost/code-host.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import type { ContextRepositories } from '../sites/context-repositories.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { Site } from '../store/sites/sites.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import type { CheckThread } from './checks/check-thread.ts'

/** The models that jobs may use, by `provider/model`. */
export interface AgentModels {
  /** The model of jobs that do not name one. */
  defaultId: string
  ids: readonly string[]
  /** @param id One of `ids`. */
  find(id: string): BilledModel | null
}

/** Dependencies of the requests that create and change jobs. Functions pick the ones they need. */
export interface AgentRequestDeps extends StoreDeps {
  ids: IdSource
  /** The currently configured models. */
  models(): Promise<AgentModels>
  /** The host of a site's repository; null if it takes no pull requests. */
  openHost(site: Site): Promise<CodeHost | null>
  /** The repositories that the agent may read in addition to the site's own. */
  contexts: ContextRepositories
  /** The repository of Docent's own documentation, which a project edits only if it has no other. */
  demoRepository: string
  /** An existing folder for temporary git files. */
  scratchFolder: string
  budgets: AgentBudgets
  checks: CheckThread
  /** Wakes the worker to look for work. */
  wakeWorker(): void
}

/** Limits of a job. Reaching one ends the job, and the work so far becomes a draft. */
export interface AgentBudgets {
  /** Model calls in one round. */
  steps: number
  /** Tokens of one round, weighed by `countWeightedTokens`, in calls without a known price. */
  tokens: number
  /** Working time of one round, excluding time in the queue. */
  activeMs: number
  /** US dollars of one round; calls without a known price are not counted. */
  roundUsd: number
  /** US dollars of all jobs of a project and UTC day. */
  projectDayUsd: number
  /** Tokens of all jobs of a project and UTC day, counted like `tokens`. */
  projectDayTokens: number
  /** Whether a job waits for a model that fails in passing. */
  waitsForModel: boolean
}

/** Additional dependencies for working on jobs. */
export interface AgentDeps extends AgentRequestDeps {
  log: Log
  sites: LiveSites
}
