import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ChatModel, ChatPrompt, ChatStreamPart } from '../chat-model.ts'
import { readModelCallError } from './model-call-error.ts'
import { wrapModel } from './wrap-model.ts'

/** Replaces an image, so that the model does not guess what it shows. */
const notShown = '(There was an image here, which you cannot see. Say nothing about what it shows.)'
const imageWords = /\b(?:images?|vision|multi-?modal|mmproj|media|content (?:part|type)s?|image_url|input_image)\b/i

/**
 * Calls a model again without images if it refuses a call with them; from then on, it gets none. The finish part says
 * so in `providerMetadata.docent.imagesRefused`.
 *
 * Use one for each answer: a single broken image must not take images from other readers.
 */
export function createImageFallback(model: ChatModel): ChatModel {
  let isRefused = false
  return wrapModel(model, async (options) => {
    if (!hasImages(options.prompt)) return model.doStream(options)
    if (!isRefused) {
      try {
        return await model.doStream(options)
      } catch (error) {
        if (!isAboutImages(error, model.modelId)) throw error
        isRefused = true
      }
    }
    const opened = await model.doStream(withoutImages(options))
    return { ...opened, stream: opened.stream.pipeThrough(new TransformStream({ transform: noteRefusal })) }
  })
}

function hasImages(prompt: ChatPrompt): boolean {
  return prompt.some(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'file'))
}

function withoutImages(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const prompt = options.prompt.map((message): ChatPrompt[number] => {
    if (message.role !== 'user') return message
    const content = message.content.map((part) =>
      part.type === 'file' ? { type: 'text' as const, text: notShown } : part,
    )
    return { ...message, content }
  })
  return { ...options, prompt }
}

/** Servers without image support answer with any status, but name the cause. */
function isAboutImages(error: unknown, modelId: string): boolean {
  const { fault, message } = readModelCallError(error, modelId, 0)
  return fault === 'refused' || fault === 'too-long' || imageWords.test(message)
}

function noteRefusal(part: ChatStreamPart, controller: TransformStreamDefaultController<ChatStreamPart>): void {
  if (part.type !== 'finish') return controller.enqueue(part)
  const { providerMetadata } = part
  const docent = { ...providerMetadata?.['docent'], imagesRefused: true }
  controller.enqueue({ ...part, providerMetadata: { ...providerMetadata, docent } })
}
