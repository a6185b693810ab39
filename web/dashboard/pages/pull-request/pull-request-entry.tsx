import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { createDashboardRouter } from '../../router.tsx'
import type { PullRequestAddress } from './pull-request-address.ts'

const PullRequestPage = lazy(() =>
  import('./pull-request-page.tsx').then((module) => ({ default: module.PullRequestPage })),
)

/** What stands at the public address of a pull request: for members, their dashboard around it. */
export function PullRequestEntry({ address }: { address: PullRequestAddress }) {
  const session = useQuery(sessionQuery)
  if (session.isPending) return null
  if (session.data?.user != null) {
    return <MemberEntry address={address} organizationId={session.data.organization.id} />
  }
  return (
    <Suspense>
      <PullRequestPage address={address} />
    </Suspense>
  )
}

/** The window keeps the public address, which people copy. Whatever the router leads to is loaded as a page. */
function MemberEntry({ address, organizationId }: { address: PullRequestAddress; organizationId: string }) {
  const queryClient = useQueryClient()
  const [router] = useState(() => {
    const start = `/dashboard/${organizationId}/pull-requests/${address.secret}/${address.number}`
    const history = createMemoryHistory({ initialEntries: [start] })
    history.subscribe(({ location: { pathname, href } }) => {
      if (pathname !== start) location.assign(href)
    })
    return createDashboardRouter(queryClient, history)
  })
  return <RouterProvider router={router} />
}
