import type { ChatModel, ChatPrompt } from '../models/chat-model.ts'
import { generateByStreaming } from '../models/calls/generate-by-streaming.ts'
import { ModelCallError } from '../models/calls/model-call-error.ts'

export interface OfflineBeyondCeilingInput {
  model: ChatModel
  offlineModel: ChatModel
  /** Called before the offline model takes over; returns its prompt. */
  prepare(prompt: ChatPrompt, signal: AbortSignal | undefined): Promise<ChatPrompt>
}

/** The model, with the offline model for calls that could exceed the ceiling. */
export function answerOfflineBeyondCeiling({ model, offlineModel, prepare }: OfflineBeyondCeilingInput): ChatModel {
  const both: ChatModel = {
    ...model,
    doGenerate: (options) => generateByStreaming(both, options),
    async doStream(options) {
      try {
        return await model.doStream(options)
      } catch (error) {
        if (!(error instanceof ModelCallError) || error.fault !== 'ceiling') throw error
        return offlineModel.doStream({ ...options, prompt: await prepare(options.prompt, options.abortSignal) })
      }
    },
  }
  return both
}
