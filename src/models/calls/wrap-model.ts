import type { ChatModel } from '../chat-model.ts'
import { generateByStreaming } from './generate-by-streaming.ts'

/** A model under the same name that streams in another way; whole answers are collected from its stream. */
export function wrapModel(
  { provider, modelId, supportedUrls }: Pick<ChatModel, 'provider' | 'modelId' | 'supportedUrls'>,
  doStream: ChatModel['doStream'],
): ChatModel {
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => generateByStreaming({ doStream }, options),
    doStream,
  }
}
