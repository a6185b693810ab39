import type { StoreDeps } from '../store/store-deps.ts'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentDeps, AgentModels } from '../agent/agent-deps.ts'
import { CheckThread } from '../agent/checks/check-thread.ts'
import { PullRequestRefresher } from '../agent/jobs/pull-request-refresher.ts'
import type { IdSource } from '../base/ids.ts'
import type { BuiltinHostDeps } from '../codehost/builtin/builtin-host-deps.ts'
import { openSourceHost } from '../codehost/open-source-host.ts'
import type { LiveSettings } from '../assistant/model-settings.ts'
import type { Settings } from '../config/settings.ts'
import type { ResilientModelDeps } from '../models/calls/resilient-model.ts'
import type { ContextRepositories } from '../sites/context-repositories.ts'
import type { Forges } from '../sites/forges.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { AgentWorker } from '../worker/agent-worker.ts'
import { chooseRetries, createAgentModels } from './agent-models.ts'
import { demoRepositoryName } from './demo-repository.ts'

export interface CreateAgentInput extends StoreDeps {
  ids: IdSource
  log: Log
  telemetry: Telemetry
  sites: LiveSites
  host: BuiltinHostDeps
  forges: Forges
  contexts: ContextRepositories
  modelDeps: ResilientModelDeps
  settings: Settings
  /** The current settings: the assistant's model may change while the service runs. */
  readSettings(): Promise<LiveSettings>
  /** The data folder. */
  folder: string
  /** Names the worker in leases. */
  owner: string
  /** Wakes the worker, and starts it if it only runs on demand. */
  wakeWorker(): void
}

/** The agent: what its requests use, and its workers. */
export interface Agent {
  deps: AgentDeps
  worker: AgentWorker
  pullRequests: PullRequestRefresher
}

/** @throws {SettingsError} if the agent's model cannot be created. */
export async function createAgent(input: CreateAgentInput): Promise<Agent> {
  const { settings, store, clock, ids, log, sites, host, forges, contexts, wakeWorker } = input
  const scratchFolder = join(input.folder, 'scratch')
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const models = createModelCache(input)
  // Reports an unusable model at the start instead of at the first job.
  await models()
  const deps: AgentDeps = {
    store,
    clock,
    ids,
    log,
    sites,
    models,
    wakeWorker,
    contexts,
    scratchFolder,
    demoRepository: demoRepositoryName,
    openHost: async (site) => (await openSourceHost(host, site.source)) ?? forges.openHost(site),
    checks: new CheckThread(),
    budgets: {
      steps: settings.agentMaxSteps,
      tokens: settings.agentMaxTokens,
      activeMs: settings.agentMaxMinutes * 60_000,
      roundUsd: settings.agentMaxUsd,
      projectDayUsd: settings.agentDayUsd,
      projectDayTokens: settings.agentDayTokens,
      waitsForModel: chooseRetries(settings) > 0,
    },
  }
  const worker = new AgentWorker({
    ...deps,
    jobsAtOnce: settings.agentJobsAtOnce,
    telemetry: input.telemetry,
  })
  return { deps, worker, pullRequests: new PullRequestRefresher(deps) }
}

/** Re-creates the models whenever their settings change. */
function createModelCache({ modelDeps, readSettings }: CreateAgentInput): () => Promise<AgentModels> {
  let madeOf = ''
  let models: Promise<AgentModels> | null = null
  return async () => {
    const settings = await readSettings()
    const wanted = JSON.stringify([settings.model, settings.modelApiKey, settings.storedAddress])
    if (models === null || wanted !== madeOf) models = createAgentModels(modelDeps, settings)
    madeOf = wanted
    return models
  }
}
