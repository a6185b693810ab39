import { cutPastedError } from '../../base/text-analysis/read-pasted-error.ts'
import type { ChatPrompt } from '../../models/chat-model.ts'
import type { AssistantQuestion } from '../../contract/assistant-request.ts'
import { cutText } from '../../contract/cut-text.ts'
import { readCodeNames } from '../../models/offline/read-code-names.ts'
import { isTelling } from '../../models/offline/search-text.ts'
import { toFileParts } from './attached-files.ts'
import { withoutMarkers } from '../citations/cited-text.ts'
import { withoutSuggestions } from '../closing/suggested-pages.ts'

/** Bound of what the reader selected or is looking at. */
const contextCharsMax = 8_000

/**
 * The conversation for the model: the relevant turns, and with the question what the reader is looking at and has
 * attached, marked as data.
 */
export function buildConversation(question: AssistantQuestion): ChatPrompt {
  const { messages } = question
  return messages.map(({ role, text: said }, index) => {
    const text = role === 'assistant' ? withoutMarkers(withoutSuggestions(said)) : said
    // A separate part: the offline model takes the first one as the question.
    const isQuestion = index === messages.length - 1
    const texts = [text, isQuestion ? describeContext(question) : ''].filter((part) => part !== '')
    const content = texts.map((part) => ({ type: 'text' as const, text: part }))
    if (role === 'assistant') return { role, content }
    return { role, content: isQuestion ? [...content, ...toFileParts(question.attachments)] : content }
  })
}

function describeContext({ context, currentPath }: AssistantQuestion): string {
  if (context.length === 0 && currentPath === null) return ''
  const seen = {
    ...(currentPath === null ? {} : { currentPath }),
    ...(context.length === 0 ? {} : { selected: context.map(({ type, path, value }) => ({ type, path, value })) }),
  }
  return `What the reader has before them, as data:\n${cutText(JSON.stringify(seen), contextCharsMax)}`
}

/** A question that itself says what it is about needs little of the code. */
const namesWithTellingQuestion = 3

const fileSearchCharsMax = 200

/**
 * The search query: the question, and of the reader's selection the beginning of its text and the names in its code,
 * because "what does this mean?" says little. Of an attached text file likewise, unless the question says what it is
 * about.
 */
export function buildSearchText({ question, context, attachments }: AssistantQuestion): string {
  const asked = cutPastedError(question)
  if (context.length === 0 && attachments.length === 0) return asked
  const saysItself = isTelling(question)
  const namesMax = saysItself ? namesWithTellingQuestion : Infinity
  const texts = context.map(({ type, value }) =>
    type === 'code' ? readCodeNames(value).slice(0, namesMax).join(' ') : value,
  )
  const file = saysItself ? undefined : attachments.find(({ kind }) => kind === 'text')
  if (file?.kind === 'text') texts.push(cutText(file.text, fileSearchCharsMax))
  const selected = cutText(texts.join('\n'), 300)
  return selected === '' ? asked : `${asked}\n${selected}`
}
