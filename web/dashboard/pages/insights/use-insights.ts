import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { QuestionFilter } from '../../api/insights.ts'
import { findSite } from '../../shell/places.ts'
import { type InsightsSearch, omitEmpty, readDays, readInsightsSearch } from './insights-search.ts'

type Change = { [Name in keyof InsightsSearch]?: InsightsSearch[Name] | undefined }

/** What the address says, and a way to another. Whatever narrows the questions begins at their first page again. */
export function useInsightsSearch(): { search: InsightsSearch; change(change: Change, isStep?: boolean): void } {
  const search = readInsightsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (change: Change, isStep = false) => {
    const next = omitEmpty({ ...search, cursor: undefined, ...change })
    // Only what people think of as going somewhere is a step back in the history.
    void navigate({ to: '.', search: next as never, replace: !isStep, resetScroll: false }) // The same page, so the same search.
  }
  return { search, change }
}

export interface InsightsScope {
  /** The site that is looked at; null for all of them. */
  site: SiteResource | null
  sites: readonly SiteResource[]
  /** Whether the page is of that site, so that there is nothing to choose. */
  isSitePage: boolean
  filter: QuestionFilter
}

/** Null: there is no site of that name. */
export function useInsightsScope(sites: readonly SiteResource[]): InsightsScope | null {
  const { domain } = useParams({ strict: false })
  const { search } = useInsightsSearch()
  const word = domain ?? search.site
  const site = findSite(sites, word)
  if (word !== undefined && site === null) return null
  const { verdict, feedback, caller, version, page } = search
  const filter = { days: readDays(search), siteId: site?.id, verdict, feedback, caller, version, page }
  return { site, sites, isSitePage: domain !== undefined, filter: { ...filter, search: search.search } }
}
