import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SiteResource } from '../../../src/contract/admin.ts'
import { sitesQuery } from '../api/sites.ts'
import { Loaded } from './loaded.tsx'
import { NotFound } from './not-found-page.tsx'
import { findSite } from './places.ts'
import { say } from '../../words/say.ts'

/** Passes the site of the address to its children, or shows that it does not exist. */
export function SiteScope({ children }: { children(site: SiteResource): ReactNode }) {
  const { domain } = useParams({ strict: false })
  const sites = useQuery(sitesQuery)
  return (
    <Loaded query={sites}>
      {(sites) => {
        const site = findSite(sites, domain)
        return site === null ? <NotFound>{say('There is no site with this name.')}</NotFound> : children(site)
      }}
    </Loaded>
  )
}
