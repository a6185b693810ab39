import { keepPreviousData } from '@tanstack/react-query'
import type { HomePeriod } from '../../../src/contract/home.ts'
import { homeOperations } from '../../../src/contract/operations/home.ts'
import { queryOf } from './call.ts'
import { insightsFreshMs } from './insights.ts'

/** What needs attention, and the state of the sites. The figures of the period before stay until those of the next are there. */
export const homeQuery = (days: HomePeriod) => ({
  ...queryOf(homeOperations.getHome, { query: { days: String(days) } }),
  staleTime: insightsFreshMs,
  placeholderData: keepPreviousData,
})
