import { verdicts } from '../insights/question-words.ts'
import { oneOf, readSearch, type SearchOf, text } from '../../shell/read-search.ts'

const readers = { search: text(), verdict: oneOf(verdicts), feedback: oneOf(['helpful', 'unhelpful']) }

/** Filter of the list, kept in the address. */
export type ConversationFilter = SearchOf<typeof readers>

export function parseConversationFilter(query: Record<string, unknown>): ConversationFilter {
  return readSearch(query, readers)
}
