import type { AgentModels } from '../agent/agent-deps.ts'
import { SettingsError } from '../config/load-settings.ts'
import type { LiveSettings } from '../assistant/model-settings.ts'
import { createFreeModel } from '../models/calls/billed-model.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import { createChatModel } from '../models/model-registry.ts'
import { offlineModelId, splitModelId } from '../contract/model-providers.ts'
import { createOfflineAgentModel } from '../models/offline-agent/offline-agent-model.ts'
import type { ResilientModelDeps } from '../models/calls/resilient-model.ts'

/**
 * The models that jobs may use: the agent's, the assistant's and the built-in one.
 *
 * @throws {SettingsError} if the agent's model is unknown, or its key or address is missing.
 */
export async function createAgentModels(deps: ResilientModelDeps, live: LiveSettings): Promise<AgentModels> {
  const settings = withAgentLimits(live)
  const models = new Map<string, BilledModel>([[offlineModelId, createFreeModel(createOfflineAgentModel())]])
  if (settings.model !== offlineModelId) models.set(settings.model, await createChatModel(deps, settings))
  const defaultId = settings.agentModel ?? settings.model
  if (!models.has(defaultId)) models.set(defaultId, await createAgentModel(deps, settings, defaultId))
  return { defaultId, ids: [...models.keys()], find: (id) => models.get(id) ?? null }
}

/** Nobody waits at a keyboard: models may think for minutes, and a step that broke is repeated. */
function withAgentLimits(settings: LiveSettings): LiveSettings & { patience: 'working' } {
  return {
    ...settings,
    patience: 'working',
    modelRetries: chooseRetries(settings),
    modelConnectSeconds: settings.agentConnectSeconds,
    modelFirstTokenSeconds: settings.agentFirstTokenSeconds,
    modelSilenceSeconds: settings.agentSilenceSeconds,
    modelCallSeconds: settings.agentCallSeconds,
  }
}

const retriesDefault = 5

/** How often a step of the agent is repeated. */
export function chooseRetries({
  agentModelRetries,
  modelRetries,
}: Pick<LiveSettings, 'agentModelRetries' | 'modelRetries'>): number {
  return agentModelRetries ?? (modelRetries === 0 ? 0 : retriesDefault)
}

function createAgentModel(deps: ResilientModelDeps, settings: LiveSettings, model: string): Promise<BilledModel> {
  const isSameProvider = splitModelId(model).provider === splitModelId(settings.model).provider
  // The operator's agent key must not be sent to a stored address.
  const hasOwnAccess = settings.agentModelBaseUrl !== undefined || settings.agentModelApiKey !== undefined
  const chosen: LiveSettings = {
    ...settings,
    model,
    modelFallbacks: settings.agentModelFallbacks,
    modelBaseUrl: settings.agentModelBaseUrl ?? (isSameProvider ? settings.modelBaseUrl : undefined),
    modelApiKey: settings.agentModelApiKey ?? (isSameProvider ? settings.modelApiKey : undefined),
    storedAddress: isSameProvider && !hasOwnAccess ? settings.storedAddress : undefined,
  }
  return createChatModel(deps, chosen).catch(nameAgentSetting)
}

/** Renames the settings in errors: the agent's model has its own. */
function nameAgentSetting(error: unknown): never {
  if (!(error instanceof SettingsError)) throw error
  throw new SettingsError(
    error.faults.map(({ where, message }) => ({
      where: where.replace(/^DOCENT_MODEL/, 'DOCENT_AGENT_MODEL'),
      message: message.replaceAll(/\bDOCENT_MODEL(?=_|\b)/g, 'DOCENT_AGENT_MODEL'),
    })),
  )
}
