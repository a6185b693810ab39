import type { ChatPrompt } from '../../models/chat-model.ts'
import type { ConversationState } from './conversation-state.ts'
import { elideResults } from './elide-results.ts'

type Message = ChatPrompt[number]

/** A message to the model that is not the user's: it may be dropped. */
export function createNote(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }], providerOptions: { docent: { isNote: true } } }
}

function isOrder({ role, providerOptions }: Message): boolean {
  return role === 'user' && providerOptions?.['docent']?.['isNote'] !== true
}

/** The conversation as the model gets it. The same for the same arguments, byte by byte, because providers cache it. */
export function viewConversation(transcript: ChatPrompt, state: ConversationState): ChatPrompt {
  const { head, summary } = state
  const from = summary?.until ?? head
  const kept = viewFrom(transcript, state, from)
  if (summary === null) return [...transcript.slice(0, head), ...kept]
  const orders = transcript.slice(head, from).filter(isOrder)
  return [...transcript.slice(0, head), ...orders, createNote(summary.text), ...kept]
}

/** The messages from an index on, as the model gets them. */
export function viewFrom(transcript: ChatPrompt, state: ConversationState, from: number): ChatPrompt {
  return transcript.slice(from).flatMap((message, offset): ChatPrompt => {
    const index = from + offset
    if (message.role === 'assistant' && index < state.reasoningFrom) return dropReasoning(message)
    return [(index < state.elidedBefore ? elideResults(transcript, index) : undefined) ?? message]
  })
}

function dropReasoning(message: Extract<Message, { role: 'assistant' }>): ChatPrompt {
  const content = message.content.filter(({ type }) => type !== 'reasoning')
  return content.length === 0 ? [] : [{ ...message, content }]
}
