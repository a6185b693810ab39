import type { ChatModel } from '../models/chat-model.ts'
import type { BilledModel } from '../models/calls/model-account.ts'
import { nameModel, offlineModelId } from '../contract/model-providers.ts'

/** The models of one answer. */
export interface AnswerModels {
  answering: BilledModel
  /** Rewrites follow-ups to be understandable on their own. */
  rewriting: BilledModel
  /** Whether the offline model may answer, first or as a fallback; its prompt needs more data. */
  mayAnswerOffline: boolean
}

/** Whether a model costs nothing and sends nothing of the question anywhere. */
export function isOffline(model: Pick<ChatModel, 'provider' | 'modelId'>): boolean {
  return nameModel(model) === offlineModelId
}
