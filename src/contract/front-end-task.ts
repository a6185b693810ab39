import { cutText } from './cut-text.ts'

const titleCharsMax = 60
/** The instructions come before the conversation or the passages that they are about. */
const materialStart = /###\s*Chat History|<chat_history>|<context>/i
const firstQuestion = /^[ \t]*user:(.+)$/im

/** What each task wants back, by the key that its instructions name. */
const replies: Readonly<Record<string, (history: string) => unknown>> = {
  title: nameChat,
  tags: () => [],
  follow_ups: () => [],
  queries: () => [],
  text: () => '',
}
const requestedKey = new RegExp(`"(${Object.keys(replies).join('|')})"\\s*:`)

/**
 * Replies to a completion that Open WebUI requests for itself beside each of a reader's questions: a title, tags,
 * follow-up questions. Its prompts begin with `### Task` and show the JSON that they want back. Answered without a model
 * and without a search, because nobody asked, and a question would otherwise cost as much as four.
 *
 * @returns JSON; null if the prompt is a reader's question, which includes Open WebUI's questions about files.
 */
export function writeTaskReply(prompt: string): string | null {
  if (!prompt.startsWith('### Task')) return null
  const start = prompt.search(materialStart)
  const [instructions, material] = start < 0 ? [prompt, ''] : [prompt.slice(0, start), prompt.slice(start)]
  const key = requestedKey.exec(instructions)?.[1] ?? ''
  const reply = replies[key]
  return reply === undefined ? null : JSON.stringify({ [key]: reply(material) })
}

/** The start of the first question in a list of messages. */
function nameChat(history: string): string {
  const question = (firstQuestion.exec(history)?.[1] ?? '').replace(/\s+/g, ' ').trim()
  if (question.length <= titleCharsMax) return question
  return `${cutText(question, titleCharsMax).replace(/\s\S*$/, '')}…`
}
