import { CSPProvider } from '@base-ui/react/csp-provider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ToastRegion } from '../ui/toasts.tsx'
import { createQueryClient } from './api/query-client.ts'
import { readPullRequestAddress } from './pages/pull-request/pull-request-address.ts'
import { createDashboardRouter } from './router.tsx'

const PullRequestPage = lazy(() =>
  import('./pages/pull-request/pull-request-page.tsx').then((module) => ({ default: module.PullRequestPage })),
)

export interface DashboardProps {
  router: ReturnType<typeof createDashboardRouter>
  queryClient: QueryClient
}

/** What a window of the dashboard has of its own. */
export function createDashboard(): DashboardProps {
  const queryClient = createQueryClient(() => {
    // Nothing read in one session is for whoever signs in next.
    queryClient.clear()
    void router.invalidate()
  })
  const router = createDashboardRouter(queryClient)
  return { router, queryClient }
}

export function Dashboard({ router, queryClient }: DashboardProps) {
  // The page of a pull request needs no account, so it is outside the router.
  const pullRequest = readPullRequestAddress(location.pathname)
  return (
    // The policy of the page takes no styles but those of files.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        {pullRequest === null ? (
          <RouterProvider router={router} />
        ) : (
          <Suspense>
            <PullRequestPage address={pullRequest} />
          </Suspense>
        )}
        <ToastRegion />
      </QueryClientProvider>
    </CSPProvider>
  )
}
