import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { QuestionFilter } from '../../api/insights.ts'
import { findSite } from '../../shell/places.ts'
import { type InsightsSearch, omitEmpty, readDays, readInsightsSearch } from './insights-search.ts'

type Change = { [Name in keyof InsightsSearch]?: InsightsSearch[Name] | undefined }

/** The view in the address, and a function to change it. Changing a filter returns to the first page of questions. */
export function useInsightsSearch(): { search: InsightsSearch; change(change: Change, isStep?: boolean): void } {
  const search = readInsightsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (change: Change, isStep = false) => {
    const next = omitEmpty({ ...search, cursor: undefined, ...change })
    // Only steps that users perceive as navigation add a history entry.
    void navigate({ to: '.', search: next as never, replace: !isStep, resetScroll: false }) // Stays on this page, which has this search.
  }
  return { search, change }
}

export interface InsightsScope {
  /** Selected site; null for all. */
  site: SiteResource | null
  sites: readonly SiteResource[]
  /** Whether this is a site's own page, without a choice of sites. */
  isSitePage: boolean
  filter: QuestionFilter
}

/** Null if there is no such site. */
export function useInsightsScope(sites: readonly SiteResource[]): InsightsScope | null {
  const { domain } = useParams({ strict: false })
  const { search } = useInsightsSearch()
  const word = domain ?? search.site
  const site = findSite(sites, word)
  if (word !== undefined && site === null) return null
  const { at, verdict, feedback, caller, askedBy, keyId, language, version, page } = search
  const period = { days: readDays(search), at, siteId: site?.id }
  const filter = {
    ...period,
    verdict,
    feedback,
    caller,
    askedBy,
    keyId,
    language,
    version,
    page,
    search: search.search,
  }
  return { site, sites, isSitePage: domain !== undefined, filter }
}
