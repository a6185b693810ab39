import { verdicts } from '../insights/question-words.ts'
import { oneOf, readSearch, type SearchOf, text } from '../../shell/read-search.ts'

const readers = { search: text(), verdict: oneOf(verdicts), feedback: oneOf(['helpful', 'unhelpful']) }

/** What narrows the list. It stands in the address. */
export type ConversationFilter = SearchOf<typeof readers>

export function parseConversationFilter(query: Record<string, unknown>): ConversationFilter {
  return readSearch(query, readers)
}
