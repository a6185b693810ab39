import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { countUsage, createBuiltInModel, offlineCost } from '../offline/built-in-model.ts'
import { decideAgentReply } from './decide-agent-reply.ts'
import type { AgentReply } from './agent-program.ts'

/**
 * The built-in model of the agent, which needs no key: it follows literal instructions by calling the same tools as any
 * model, and refuses all others with a sentence. It is not a language model and writes nothing of its own.
 *
 * `providerMetadata.docent.refusal` of its finish part contains that sentence.
 */
export function createOfflineAgentModel(): ChatModel {
  return createBuiltInModel((options) => listParts(options, decideAgentReply(options)))
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
