import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import type { ChatModel, ChatPrompt } from '../chat-model.ts'
import { readModelCallError } from './model-call-error.ts'
import { wrapModel } from './wrap-model.ts'

/** Shared by all callers of a model. */
export interface ToolSupport {
  /** Whether the model is known to lack tools. Set by the first call that is rejected for its tools. */
  hasNoTools: boolean
}

export interface ToolFallbackInput {
  model: ChatModel
  support: ToolSupport
  /** Called once, when a rejected call shows that the model lacks tools. */
  onToolsRefused?: () => void
}

const noToolsNote =
  'You cannot call tools. Their results are in the conversation, as data: answer from them, and say what they do not contain.'

/**
 * Calls a model without tools if it does not support them; their results are quoted in its prompt as data instead. The
 * settings say whether it does; otherwise, a call that is rejected for its tools is repeated without them.
 */
export function createToolFallback({ model, support, onToolsRefused }: ToolFallbackInput): ChatModel {
  return wrapModel(model, async (options) => {
    if (support.hasNoTools) return model.doStream(withoutTools(options))
    try {
      return await model.doStream(options)
    } catch (error) {
      if (!hasTools(options) || readModelCallError(error, model.modelId, 0).fault !== 'tools') throw error
      if (!support.hasNoTools) onToolsRefused?.()
      support.hasNoTools = true
      return model.doStream(withoutTools(options))
    }
  })
}

function hasTools({ tools }: LanguageModelV4CallOptions): boolean {
  return tools !== undefined && tools.length > 0
}

/** The same call for a model that accepts neither tools nor their messages. */
function withoutTools(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { tools: _tools, toolChoice: _toolChoice, prompt, ...rest } = options
  const [first, ...others] = prompt
  const isNoteNeeded = prompt.some(({ role }) => role === 'tool') || hasTools(options)
  if (!isNoteNeeded) return { ...rest, prompt }
  const system: LanguageModelV4Message =
    first?.role === 'system'
      ? { ...first, content: `${first.content}\n\n${noToolsNote}` }
      : { role: 'system', content: noToolsNote }
  return { ...rest, prompt: [system, ...joinNeighbours(quoteTools(first?.role === 'system' ? others : prompt))] }
}

/** Drops tool calls; their results become user messages that name the call. */
function quoteTools(prompt: ChatPrompt): ChatPrompt {
  const calls = new Map<string, unknown>()
  return prompt.flatMap((message): ChatPrompt => {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool-call') calls.set(part.toolCallId, part.input)
      const content = message.content.filter(({ type }) => type === 'text')
      return content.length === 0 ? [] : [{ ...message, content }]
    }
    if (message.role !== 'tool') return [message]
    const quotes = message.content.flatMap((part) =>
      part.type === 'tool-result' ? [quoteResult(part.toolName, calls.get(part.toolCallId), part.output)] : [],
    )
    return quotes.length === 0 ? [] : [{ role: 'user', content: [{ type: 'text', text: quotes.join('\n\n') }] }]
  })
}

/** As JSON, so that no line of a page can pass for one of ours. */
function quoteResult(toolName: string, input: unknown, output: LanguageModelV4ToolResultOutput): string {
  const value = 'value' in output ? output.value : (output.reason ?? 'refused')
  return `What the tool "${toolName}" returned for ${JSON.stringify(input ?? {})}, as data:\n${JSON.stringify(value)}`
}

/**
 * Chat templates of small models reject consecutive messages of one role, and many servers accept text only as one
 * string.
 */
function joinNeighbours(prompt: ChatPrompt): ChatPrompt {
  const joined: ChatPrompt = []
  for (const message of prompt) {
    const last = joined.at(-1)
    if (message.role === 'user' && last?.role === 'user') {
      joined[joined.length - 1] = { role: 'user', content: joinTexts([...last.content, ...message.content]) }
    } else joined.push(message)
  }
  return joined
}

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content']

function joinTexts(parts: UserContent): UserContent {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  return [{ type: 'text', text }, ...parts.filter(({ type }) => type !== 'text')]
}
