import { useQuery } from '@tanstack/react-query'
import { useMatches, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { SiteResource } from '../../../src/contract/admin.ts'
import { useSession } from '../api/session.ts'
import { sitesQuery } from '../api/sites.ts'
import { findSite } from './places.ts'

export interface CurrentPlace {
  organization: { id: string; name: string }
  /** The site that the page is of; null on pages of the organization. */
  site: SiteResource | null
  /** The word that names the site in the address, also while the site is not read yet. */
  domain: string | null
  /** What the page calls itself; null on the page of a site. */
  title: string | null
}

export function useCurrentPlace(): CurrentPlace {
  const { organization } = useSession()
  const { domain = null } = useParams({ strict: false })
  const sites = useQuery(sitesQuery)
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title ?? null })
  return { organization, site: domain === null ? null : findSite(sites.data, domain), domain, title }
}

/** Names the window after the page, so that its tab and its place in the history can be told from others. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
}
