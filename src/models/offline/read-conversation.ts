import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { isClosing } from '../closing-message.ts'
import { readPassages, type RetrievedPassage } from './retrieved-passage.ts'
import { readTermCounts, type TermCounts } from './weigh-words.ts'

/** The name that existing front ends and the assistant use for the search. */
export const searchToolName = 'search'

/** What the offline model uses of a prompt. */
export interface Conversation {
  instructions: string
  /** The newest user message, or empty. */
  question: string
  /** Older user messages, newest first. */
  earlierQuestions: string[]
  /** Queries that were searched for since the question. */
  searchedFor: string[]
  /** What those searches found, the newest search first, each passage once. */
  passages: RetrievedPassage[]
  /** How rare the words of the newest search are on the site; null if unknown. */
  termCounts: TermCounts | null
  /** Whether a search since the question failed. */
  hasFailedSearch: boolean
  canSearch: boolean
  /** Tool calls in the whole prompt, so that the next one gets a unique id. */
  callCount: number
}

export function readConversation({ prompt: sent, tools, toolChoice }: LanguageModelV4CallOptions): Conversation {
  const prompt = sent.filter((message) => !isClosing(message))
  const last = prompt.findLastIndex(({ role }) => role === 'user')
  const sinceQuestion = prompt.slice(last + 1)
  const questions = prompt.flatMap((message) => (message.role === 'user' ? [readUserText(message)] : []))
  const results = sinceQuestion.flatMap(listSearchResults)
  const outputs = results.map(({ output }) => output)
  return {
    instructions: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n'),
    question: questions.at(-1) ?? '',
    earlierQuestions: questions.slice(0, -1).reverse(),
    searchedFor: sinceQuestion.flatMap(listSearchQueries),
    passages: dropRepeated(outputs.toReversed().flatMap(readPassages)),
    termCounts: results.map(readTermCounts).findLast((counts) => counts !== null) ?? null,
    hasFailedSearch: outputs.some(({ type }) => type.startsWith('error') || type === 'execution-denied'),
    canSearch: toolChoice?.type !== 'none' && (tools ?? []).some(({ name }) => name === searchToolName),
    callCount: prompt.flatMap(listCalls).length,
  }
}

/** The first part is what the reader typed; the others are what they see or selected. */
function readUserText({ content }: Extract<LanguageModelV4Message, { role: 'user' }>): string {
  return content.find((part) => part.type === 'text')?.text.trim() ?? ''
}

function listSearchResults(message: LanguageModelV4Message) {
  if (message.role !== 'tool' && message.role !== 'assistant') return []
  return message.content.flatMap((part) =>
    part.type === 'tool-result' && part.toolName === searchToolName ? [part] : [],
  )
}

function listCalls(message: LanguageModelV4Message) {
  if (message.role !== 'assistant') return []
  return message.content.filter((part) => part.type === 'tool-call')
}

function listSearchQueries(message: LanguageModelV4Message): string[] {
  return listCalls(message).flatMap(({ toolName, input }) => {
    const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : null
    return toolName === searchToolName && typeof query === 'string' ? [query] : []
  })
}

function dropRepeated(passages: readonly RetrievedPassage[]): RetrievedPassage[] {
  const seen = new Set<string>()
  return passages.filter(({ link, content }) => {
    const key = `${link}\n${content}`
    return !seen.has(key) && seen.add(key)
  })
}
