import { oneOf, readSearch, type SearchOf, text } from '../../shell/read-search.ts'

const readers = { repository: text(), state: oneOf(['open', 'merged', 'closed']) }

/** Filter of the list, kept in the address. */
export type PullRequestSearch = SearchOf<typeof readers>

export function readPullRequestSearch(query: Record<string, unknown>): PullRequestSearch {
  return readSearch(query, readers)
}
