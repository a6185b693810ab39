import { useNavigate, useSearch } from '@tanstack/react-router'
import { type HomePeriod, homePeriods } from '../../../../src/contract/home.ts'
import { oneOf, readSearch } from '../../shell/read-search.ts'

const daysDefault = 7

const readers = { days: oneOf<number>(homePeriods.filter((days) => days !== daysDefault)) }

export function readHomeSearch(search: Record<string, unknown>): { days?: number } {
  return readSearch(search, readers)
}

/** The period shown, which the address remembers. */
export function useHomePeriod(): [HomePeriod, (days: HomePeriod) => void] {
  const { days } = readHomeSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const shown = homePeriods.find((period) => period === days) ?? daysDefault
  return [
    shown,
    (next) => void navigate({ to: '.', search: next === daysDefault ? {} : { days: next }, replace: true }), // Stays on this page, which has this search.
  ]
}
