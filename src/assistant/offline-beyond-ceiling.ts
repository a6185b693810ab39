import type { ChatModel } from '../models/chat-model.ts'
import { generateByStreaming } from '../models/generate-by-streaming.ts'
import { ModelCallError } from '../models/model-call-error.ts'

/** The model, and the offline one for calls that could cost more than may be spent. */
export function answerOfflineBeyondCeiling(
  model: ChatModel,
  offlineModel: ChatModel,
  onCeiling: () => void,
): ChatModel {
  const both: ChatModel = {
    ...model,
    doGenerate: (options) => generateByStreaming(both, options),
    async doStream(options) {
      try {
        return await model.doStream(options)
      } catch (error) {
        if (!(error instanceof ModelCallError) || error.fault !== 'ceiling') throw error
        onCeiling()
        return offlineModel.doStream(options)
      }
    },
  }
  return both
}
