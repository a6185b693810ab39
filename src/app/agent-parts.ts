import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentDeps, AgentModels } from '../agent/agent-deps.ts'
import { CheckThread } from '../agent/check-thread.ts'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { BuiltinHostDeps } from '../codehost/builtin-host-deps.ts'
import { openSourceHost } from '../codehost/open-source-host.ts'
import type { Settings } from '../config/settings.ts'
import type { ResilientModelDeps } from '../models/resilient-model.ts'
import type { LiveSites } from '../sites/live-sites.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { AgentWorker } from '../worker/agent-worker.ts'
import { createAgentModels } from './agent-models.ts'
import { demoRepositoryName } from './demo-repository.ts'

export interface AgentPartsInput {
  store: Store
  clock: Clock
  ids: IdSource
  log: Log
  sites: LiveSites
  host: BuiltinHostDeps
  modelDeps: ResilientModelDeps
  settings: Settings
  /** The settings as they are now: the model of the assistant may be changed while the service runs. */
  readSettings(): Promise<Settings>
  /** The data folder. */
  folder: string
  /** Names the worker in leases. */
  owner: string
  /** Starts the worker where it runs on demand only. */
  wakeWorker(): void
}

/** What requests and the worker of the agent are made of. */
export interface AgentParts {
  deps: AgentDeps
  worker: AgentWorker
}

/** @throws {SettingsError} when the agent's model cannot be made. */
export async function createAgentParts(input: AgentPartsInput): Promise<AgentParts> {
  const { settings, store, clock, ids, log, sites, host, wakeWorker } = input
  const scratchFolder = join(input.folder, 'scratch')
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 })
  const models = createModelCache(input)
  // Settings that name no usable model are told at the start, not at the first job.
  await models()
  const deps: AgentDeps = {
    store,
    clock,
    ids,
    log,
    sites,
    models,
    wakeWorker,
    scratchFolder,
    demoRepository: demoRepositoryName,
    openHost: ({ source }) => openSourceHost(host, source),
    checks: new CheckThread(),
    budgets: {
      steps: settings.agentMaxSteps,
      tokens: settings.agentMaxTokens,
      activeMs: settings.agentMaxMinutes * 60_000,
      roundUsd: settings.agentMaxUsd,
      projectDayUsd: settings.agentDayUsd,
      projectDayTokens: settings.agentDayTokens,
    },
  }
  return { deps, worker: new AgentWorker({ ...deps, owner: input.owner, jobsAtOnce: settings.agentJobsAtOnce }) }
}

/** Makes the models again when the settings that they are made of have changed. */
function createModelCache({ modelDeps, readSettings }: AgentPartsInput): () => Promise<AgentModels> {
  let madeOf = ''
  let models: Promise<AgentModels> | null = null
  return async () => {
    const settings = await readSettings()
    const wanted = JSON.stringify([settings.model, settings.modelApiKey, settings.modelBaseUrl])
    if (models === null || wanted !== madeOf) models = createAgentModels(modelDeps, settings)
    madeOf = wanted
    return models
  }
}
