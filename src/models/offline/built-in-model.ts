import type { LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4Usage } from '@ai-sdk/provider'
import { offlineModelId } from '../../contract/model-providers.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'

/** What the finish part of every built-in model says about the call. */
export const offlineCost = { model: offlineModelId, costUsd: 0 } as const

export const charsPerToken = 4

/** @param listParts Computes the reply to a call, part by part, ending with its finish part. */
export function createBuiltInModel(
  listParts: (options: LanguageModelV4CallOptions) => Iterable<ChatStreamPart>,
): ChatModel {
  return {
    specificationVersion: 'v4',
    provider: 'docent',
    modelId: 'offline',
    supportedUrls: {},
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      return { stream: toStream(listParts(options)[Symbol.iterator](), options.abortSignal) }
    },
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      return toResult([...listParts(options)])
    },
  }
}

/** Approximate, because there is no tokenizer to count with. */
export function countUsage({ prompt }: LanguageModelV4CallOptions, output: string): LanguageModelV4Usage {
  const read = prompt.map(({ content }) =>
    typeof content === 'string' ? content : content.filter(({ type }) => type !== 'file'),
  )
  const input = Math.ceil(JSON.stringify(read).length / charsPerToken)
  const total = Math.ceil(output.length / charsPerToken)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total, text: total, reasoning: 0 },
  }
}

/** Enqueues one part per read, so that nothing follows an abort. */
function toStream(parts: Iterator<ChatStreamPart>, signal?: AbortSignal): ReadableStream<ChatStreamPart> {
  let onAbort: (() => void) | undefined
  const release = () => onAbort && signal?.removeEventListener('abort', onAbort)
  const source: UnderlyingDefaultSource<ChatStreamPart> = {
    start(controller) {
      onAbort = () => controller.error(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
    },
    pull(controller) {
      const next = parts.next()
      if (next.done !== true) return controller.enqueue(next.value)
      release()
      controller.close()
    },
    cancel: release,
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

function toResult(parts: readonly ChatStreamPart[]) {
  const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
  const content: LanguageModelV4Content[] = text === '' ? [] : [{ type: 'text', text }]
  content.push(...parts.filter((part) => part.type === 'tool-call'))
  // `listParts` ends with its finish part.
  const { finishReason, usage, providerMetadata } = parts.at(-1) as Extract<ChatStreamPart, { type: 'finish' }>
  return { content, finishReason, usage, warnings: [], ...(providerMetadata && { providerMetadata }) }
}
