import {
  findProvider,
  modelProviders,
  offlineModelId,
  providerNames,
  splitModelId,
} from '../../contract/model-providers.ts'
import type { ChatModel } from '../chat-model.ts'
import { createOfflineModel } from '../offline/offline-model.ts'
import { type ProviderFetches, type ProviderSettings, readChatAccess, refuse, usesAccount } from './provider-access.ts'
import { providerAdapters } from './provider-adapters.ts'

/**
 * Opens a chat model through the package of its provider.
 *
 * @param id `provider/model`.
 * @param setting The environment variable that names it.
 * @throws {SettingsError} if the provider is unknown, or its key or address is missing.
 */
export async function openProviderModel(
  { id, setting, fetches }: { id: string; setting: string; fetches: ProviderFetches },
  settings: ProviderSettings,
): Promise<ChatModel> {
  if (id === offlineModelId) return createOfflineModel()
  const name = findProvider(id, providerNames)
  if (name === null) throw refuse(setting, describeUnknown(id))
  const { model: modelId } = splitModelId(id)
  const { account } = modelProviders[name]
  const { openChat, chatOptions } = providerAdapters[name]
  const sharesMain = usesAccount(settings, account)
  const model = await openChat(readChatAccess({ id, setting, account, sharesMain }, settings, fetches), modelId)
  const providerOptions = chatOptions && { providerOptions: chatOptions }
  // Packages name a model after their protocol; records and prices use the name from the settings.
  return {
    specificationVersion: 'v4',
    provider: name,
    modelId,
    supportedUrls: {},
    doGenerate: (options) => model.doGenerate({ ...options, ...providerOptions }),
    doStream: (options) => model.doStream({ ...options, ...providerOptions }),
  }
}

function describeUnknown(id: string): string {
  const known = providerNames.map((name) => `${name}/…`)
  return `names "${id}", which no provider has: use ${known.join(', ')} or ${offlineModelId}`
}
