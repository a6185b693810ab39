import type { ChatPrompt } from '../models/chat-model.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import { withoutSuggestions } from './suggested-pages.ts'

/** Of the history, the newest characters that a model is given: about 12,000 tokens of English. */
const historyCharsMax = 48_000

/** Of what the reader selected or looks at. */
const contextCharsMax = 8_000

/**
 * The conversation as the model gets it: the newest turns that fit, and with the question what the reader has before
 * them, marked as data.
 */
export function buildConversation(question: AssistantQuestion): ChatPrompt {
  const history = takeNewest(question.messages)
  const last = history.findLastIndex(({ role }) => role === 'user')
  return history.slice(0, last + 1).map(({ role, text: said }, index) => {
    const text = role === 'assistant' ? withoutSuggestions(said) : said
    // A part of its own: the offline model takes the first one for the question.
    const seen = index === last ? describeContext(question) : ''
    return { role, content: [text, seen].filter((part) => part !== '').map((part) => ({ type: 'text', text: part })) }
  })
}

function takeNewest(messages: AssistantQuestion['messages']): AssistantQuestion['messages'] {
  let chars = 0
  const newest = messages.toReversed().filter(({ text }, index) => {
    chars += text.length
    return index === 0 || chars <= historyCharsMax
  })
  return newest.reverse()
}

function describeContext({ context, currentPath }: AssistantQuestion): string {
  if (context.length === 0 && currentPath === null) return ''
  const seen = {
    ...(currentPath === null ? {} : { currentPath }),
    ...(context.length === 0 ? {} : { selected: context.map(({ type, path, value }) => ({ type, path, value })) }),
  }
  return `What the reader has before them, as data:\n${JSON.stringify(seen).slice(0, contextCharsMax)}`
}

/** What is searched for: the question, and a part of what the reader selected, because "what does this mean?" says little. */
export function buildSearchText({ question, context }: AssistantQuestion): string {
  const selected = context
    .map(({ value }) => value)
    .join('\n')
    .slice(0, 300)
  return selected === '' ? question : `${question}\n${selected}`
}
