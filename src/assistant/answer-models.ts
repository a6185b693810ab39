import type { ChatModel } from '../models/chat-model.ts'
import { offlineModelId } from '../models/offline/offline-model.ts'

/** The models of one answer. */
export interface AnswerModels {
  answering: ChatModel
  /** Makes a follow-up understandable alone. */
  rewriting: ChatModel
  /** Whether the offline model may come to answer, as the first or in place of one that fails: it is told more. */
  mayAnswerOffline: boolean
}

export function nameModel({ provider, modelId }: ChatModel): string {
  return `${provider}/${modelId}`
}

/** Whether a model costs nothing and leaves nothing of the question to anybody. */
export function isOffline(model: ChatModel): boolean {
  return nameModel(model) === offlineModelId
}
