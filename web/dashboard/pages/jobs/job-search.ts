import { oneOf, readSearch, type SearchOf, text } from '../../shell/read-search.ts'

export const periods = [1, 7, 30, 90] as const

const dayMs = 86_400_000

const readers = {
  status: oneOf(['active', 'completed', 'failed']),
  site: text(),
  search: text(),
  /** Days back from today. */
  days: oneOf(periods),
}

/** What narrows a list of jobs. It stands in the address, so that the list can be gone back to and passed on. */
export type JobSearch = SearchOf<typeof readers>

export function readJobSearch(query: Record<string, unknown>): JobSearch {
  return readSearch(query, readers)
}

/** The beginning of a UTC day, so that the list is the same one until midnight. @param days 1 is today. */
export function startOfPeriod(days: number, now: number): string {
  return new Date(Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs).toISOString()
}
