import { dayMs } from '../../../ui/durations.ts'
import { oneOf, readSearch, type SearchOf, text } from '../../shell/read-search.ts'

export const periods = [1, 7, 30, 90] as const

const readers = {
  status: oneOf(['active', 'completed', 'failed']),
  site: text(),
  search: text(),
  /** Days up to today. */
  days: oneOf(periods),
}

/** Filter of the list, kept in the address so that it can be revisited and shared. */
export type JobSearch = SearchOf<typeof readers>

export function readJobSearch(query: Record<string, unknown>): JobSearch {
  return readSearch(query, readers)
}

/** Start of a UTC day, so that the query is stable until midnight. @param days 1 is today. */
export function startOfPeriod(days: number, now: number): string {
  return new Date(Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs).toISOString()
}
