import type { ChatModel } from './chat-model.ts'
import { createOfflineModel, offlineModelId } from './offline/offline-model.ts'

export interface ChatModelSettings {
  /** `provider/model`. */
  id: string
}

/** Every model that there is, by its id. A provider's package is added here, by the part of the id before its first slash. */
const models: Readonly<Record<string, () => ChatModel>> = {
  [offlineModelId]: createOfflineModel,
}

/**
 * Makes the model that the settings name.
 *
 * @throws {Error} with a sentence for the operator, when there is no such model.
 */
export function createChatModel({ id }: ChatModelSettings): ChatModel {
  const create = Object.hasOwn(models, id) ? models[id] : undefined
  if (create) return create()
  throw new Error(`There is no model "${id}" in this version. Set DOCENT_MODEL to ${Object.keys(models).join(' or ')}.`)
}
