import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { PartCleaner } from './part-cleaner.ts'

/** Collects a whole answer from a model's stream, so that wrappers need only implement `doStream`. */
export async function generateByStreaming(
  model: Pick<ChatModel, 'doStream'>,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const { stream } = await model.doStream(options)
  const content: LanguageModelV4Content[] = []
  const texts = new Map<string, { type: 'text' | 'reasoning'; text: string }>()
  let finish: Extract<ChatStreamPart, { type: 'finish' }> | null = null
  const cleaner = new PartCleaner()
  for await (const streamed of stream) {
    for (const part of cleaner.clean(streamed)) {
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') addDelta(part)
      if (part.type === 'tool-call') content.push(part)
      if (part.type === 'error') throw part.error
      if (part.type === 'finish') finish = part
    }
  }
  if (finish === null) throw new Error("The model's stream ended without a finish part.")
  const { finishReason, usage, providerMetadata } = finish
  return { content, finishReason, usage, warnings: [], ...(providerMetadata && { providerMetadata }) }

  function addDelta(part: Extract<ChatStreamPart, { type: 'text-delta' | 'reasoning-delta' }>): void {
    const key = `${part.type} ${part.id}`
    const known = texts.get(key)
    if (known !== undefined) {
      known.text += part.delta
      return
    }
    const piece = { type: part.type === 'text-delta' ? ('text' as const) : ('reasoning' as const), text: part.delta }
    texts.set(key, piece)
    content.push(piece)
  }
}
