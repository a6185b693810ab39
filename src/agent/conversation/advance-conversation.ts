import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import type { LoopStep } from '../../models/loop/run-tool-loop.ts'
import { approximateTokens, type ConversationState } from './conversation-state.ts'
import { elideResults, findElision } from './elide-results.ts'
import { viewConversation } from './view-conversation.ts'

/** The conversation after a step. */
export interface AdvancedConversation {
  state: ConversationState
  events: AgentJobEvent[]
}

/**
 * Measures the conversation after a step, and elides old results if enough have gathered.
 *
 * @param transcript The whole conversation with the step's messages.
 * @param contextTokens The model's window; infinite for one whose conversation stays whole.
 */
export function advanceConversation(
  transcript: ChatPrompt,
  state: ConversationState,
  step: Pick<LoopStep, 'messages' | 'usage'>,
  contextTokens: number,
): AdvancedConversation {
  if (contextTokens === Infinity) return { state, events: [] }
  const tokens = measure(transcript, state, step)
  const elidedBefore = findElision(transcript, state, contextTokens)
  if (elidedBefore === state.elidedBefore) return { state: { ...state, tokens }, events: [] }
  const elided = [...transcript.keys()].slice(state.elidedBefore, elidedBefore).map((index) => {
    const [before, after] = [transcript[index], elideResults(transcript, index)]
    return approximateTokens(before) - approximateTokens(after)
  })
  const saved = elided.reduce((sum, each) => sum + each, 0)
  return {
    state: { ...state, tokens: Math.max(0, tokens - saved), elidedBefore, reasoningFrom: findOpenTurn(transcript) },
    events: [{ type: 'results-elided', tokens: saved }],
  }
}

/** The newest message of the model, whose calls have just been answered: providers want its reasoning back. */
export function findOpenTurn(transcript: ChatPrompt): number {
  return Math.max(
    0,
    transcript.findLastIndex(({ role }) => role === 'assistant'),
  )
}

function measure(
  transcript: ChatPrompt,
  state: ConversationState,
  { messages, usage }: Pick<LoopStep, 'messages' | 'usage'>,
): number {
  // Some servers do not count.
  if (usage.inputTokens === 0) return approximateTokens(viewConversation(transcript, state))
  const results = messages.filter(({ role }) => role !== 'assistant')
  return usage.inputTokens + usage.outputTokens + approximateTokens(results)
}
