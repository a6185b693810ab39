import {
  findProvider,
  modelProviders,
  offlineModelId,
  providerNames,
  splitModelId,
} from '../../contract/model-providers.ts'
import type { ChatModel } from '../chat-model.ts'
import { applyOptions, type OptionSettings } from './call-options.ts'
import { createOfflineModel } from '../offline/offline-model.ts'
import { divideReplies, readPiecesDirectly } from '../pieces/read-pieces-directly.ts'
import {
  accessEndpoint,
  type ProviderFetches,
  type ProviderSettings,
  readChatAccess,
  readEndpoint,
  refuse,
  usesAccount,
} from './provider-access.ts'
import { type ProviderAccess, providerAdapters } from './provider-adapters.ts'
import { hideSecrets } from './provider-fetch.ts'

/**
 * Opens a chat model through the package of its provider.
 *
 * @param id `provider/model`.
 * @param setting The environment variable that names it.
 * @throws {SettingsError} if the provider is unknown, or its key or address is missing.
 */
export async function openProviderModel(
  named: NamedChatModel,
  settings: ProviderSettings & OptionSettings,
): Promise<ChatModel> {
  const { id } = named
  if (id === offlineModelId) return createOfflineModel()
  const { adapter, access } = readAccess(named, settings)
  const { provider, model: modelId } = splitModelId(id)
  const pieces = settings.directPieces === false ? undefined : adapter.pieces
  const send = pieces === undefined ? access.fetch : divideReplies(access.fetch)
  const opened = await adapter.openChat(hideSecrets({ ...access, fetch: send }), modelId)
  const model = pieces === undefined ? opened : readPiecesDirectly(opened, pieces)
  // Packages name a model after their protocol; records and prices use the name from the settings.
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    ...applyOptions(model, adapter, settings, id),
  }
}

interface NamedChatModel {
  id: string
  setting: string
  fetches: ProviderFetches
}

function readAccess({ id, setting, fetches }: NamedChatModel, settings: ProviderSettings) {
  const endpoint = readEndpoint({ id, setting }, settings)
  if (endpoint !== null) {
    const access: ProviderAccess = { ...accessEndpoint(endpoint), fetch: fetches.configured }
    return { adapter: providerAdapters['openai-compatible'], access }
  }
  const name = findProvider(id, providerNames)
  if (name === null) throw refuse(setting, describeUnknown(id))
  const { account } = modelProviders[name]
  const sharesMain = usesAccount(settings, account)
  return {
    adapter: providerAdapters[name],
    access: readChatAccess({ id, setting, account, sharesMain }, settings, fetches),
  }
}

function describeUnknown(id: string): string {
  const known = providerNames.map((name) => `${name}/…`)
  return `names "${id}", which no provider has: use ${known.join(', ')}, compat.NAME/… for an endpoint in DOCENT_ENDPOINTS, or ${offlineModelId}`
}
