import type { LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { offlineCost } from '../offline/offline-model.ts'
import { decideAgentReply } from './decide-agent-reply.ts'
import type { AgentReply } from './agent-program.ts'

const charsPerToken = 4

/**
 * The built-in model of the agent, which needs no key: it follows literal instructions by calling the same tools as any
 * model, and refuses all others with a sentence. It is no language model and writes nothing of its own.
 *
 * `providerMetadata.docent.refusal` of its finish part holds that sentence.
 */
export function createOfflineAgentModel(): ChatModel {
  return {
    specificationVersion: 'v4',
    provider: 'docent',
    modelId: 'offline',
    supportedUrls: {},
    async doStream(options) {
      options.abortSignal?.throwIfAborted()
      const parts = listParts(options, decideAgentReply(options))
      return { stream: toStream(parts) }
    },
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      const parts = listParts(options, decideAgentReply(options))
      const content: LanguageModelV4Content[] = parts.flatMap((part): LanguageModelV4Content[] => {
        if (part.type === 'tool-call') return [part]
        return part.type === 'text-delta' ? [{ type: 'text', text: part.delta }] : []
      })
      const { finishReason, usage, providerMetadata } = parts.at(-1) as Extract<ChatStreamPart, { type: 'finish' }>
      return { content, finishReason, usage, warnings: [], ...(providerMetadata && { providerMetadata }) }
    },
  }
}

function listParts(options: LanguageModelV4CallOptions, reply: AgentReply): ChatStreamPart[] {
  const start: ChatStreamPart = { type: 'stream-start', warnings: [] }
  if (reply.type === 'refuse') {
    return [
      start,
      { type: 'text-start', id: 'refusal' },
      { type: 'text-delta', id: 'refusal', delta: reply.sentence },
      { type: 'text-end', id: 'refusal' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: undefined },
        usage: countUsage(options, reply.sentence),
        providerMetadata: { docent: { ...offlineCost, refusal: reply.sentence } },
      },
    ]
  }
  const calls = reply.calls.map(({ toolName, input }, index): ChatStreamPart => {
    const toolCallId = `offline-${options.prompt.length}-${index + 1}`
    return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
  })
  const usage = countUsage(options, JSON.stringify(reply.calls))
  const finishReason = { unified: 'tool-calls', raw: undefined } as const
  return [start, ...calls, { type: 'finish', finishReason, usage, providerMetadata: { docent: offlineCost } }]
}

/** Approximate, because there is no tokenizer to count with. */
function countUsage({ prompt }: LanguageModelV4CallOptions, output: string): LanguageModelV4Usage {
  const input = Math.ceil(JSON.stringify(prompt).length / charsPerToken)
  const total = Math.ceil(output.length / charsPerToken)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total, text: total, reasoning: 0 },
  }
}

function toStream(parts: readonly ChatStreamPart[]): ReadableStream<ChatStreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
