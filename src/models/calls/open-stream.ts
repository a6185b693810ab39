import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { rejectOnAbort } from '../../base/reject-on-abort.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'

/** Opens the stream of a model that may ignore its signal. Rejects with the signal's reason as soon as that aborts. */
export async function openStream(
  model: ChatModel,
  options: LanguageModelV4CallOptions,
  signal: AbortSignal,
): Promise<ReadableStream<ChatStreamPart>> {
  const opening = Promise.resolve(model.doStream(options))
  try {
    return (await rejectOnAbort(opening, signal)).stream
  } catch (error) {
    // A stream that opens late would keep its connection.
    opening.then(({ stream }) => stream.cancel()).catch(() => undefined)
    throw error
  }
}
