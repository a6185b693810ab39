import type { ChatModel } from '../models/chat-model.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import { nameModel, offlineModelId } from '../contract/model-providers.ts'

/** The models of one answer. */
export interface AnswerModels {
  answering: BilledModel
  /** Makes a follow-up understandable alone. */
  rewriting: BilledModel
  /** Whether the offline model may answer, as the first or in place of one that fails: its prompt holds more. */
  mayAnswerOffline: boolean
}

/** Whether a model costs nothing and leaves nothing of the question to anybody. */
export function isOffline(model: Pick<ChatModel, 'provider' | 'modelId'>): boolean {
  return nameModel(model) === offlineModelId
}
