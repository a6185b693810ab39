import { CSPProvider } from '@base-ui/react/csp-provider'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ToastRegion } from '../ui/toasts.tsx'
import { createQueryClient } from './api/query-client.ts'
import { readPullRequestAddress } from './pages/pull-request/pull-request-address.ts'
import { PullRequestEntry } from './pages/pull-request/pull-request-entry.tsx'
import { createDashboardRouter } from './router.tsx'

export interface DashboardProps {
  router: ReturnType<typeof createDashboardRouter>
  queryClient: QueryClient
}

/** State of one window. */
export function createDashboard(): DashboardProps {
  const queryClient = createQueryClient(() => {
    // The next user must not see data of the previous session.
    queryClient.clear()
    void router.invalidate()
  })
  const router = createDashboardRouter(queryClient)
  return { router, queryClient }
}

export function Dashboard({ router, queryClient }: DashboardProps) {
  // Pull request pages are public, so their address is outside the router's.
  const pullRequest = readPullRequestAddress(location.pathname)
  return (
    // The CSP only allows styles from files.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        {pullRequest === null ? <RouterProvider router={router} /> : <PullRequestEntry address={pullRequest} />}
        <ToastRegion />
      </QueryClientProvider>
    </CSPProvider>
  )
}
