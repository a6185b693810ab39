import { useQuery } from '@tanstack/react-query'
import { useMatches, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { SiteResource } from '../../../src/contract/admin.ts'
import { useSession } from '../api/session.ts'
import { sitesQuery } from '../api/sites.ts'
import { findSite } from './places.ts'

export interface CurrentPlace {
  organization: { id: string; name: string }
  /** The site of the page; null on pages of the organization. */
  site: SiteResource | null
  /** The site's segment in the address, known before the site has loaded; null once no site is known by it. */
  domain: string | null
  /** Page title; null on a site's root page. */
  title: string | null
  /** Path of its guide in the documentation, or null. */
  guide: string | null
}

export function useCurrentPlace(): CurrentPlace {
  const { organization } = useSession()
  const { domain = null } = useParams({ strict: false })
  const sites = useQuery(sitesQuery)
  const { title = null, guide = null } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })
  const site = domain === null ? null : findSite(sites.data, domain)
  return { organization, site, domain: sites.isSuccess && site === null ? null : domain, title, guide }
}

/** Sets the window title, so that tabs and history entries are distinguishable. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
}
