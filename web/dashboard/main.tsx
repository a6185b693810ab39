import './api/without-code-of-text.ts'
import '../ui/base.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../ui/theme.ts'
import { ToastRegion } from '../ui/toasts.tsx'
import { createQueryClient } from './api/query-client.ts'
import { createDashboardRouter } from './router.tsx'

applyTheme()

const queryClient = createQueryClient(() => {
  // What the session had read is nothing for who signs in next.
  queryClient.clear()
  void router.invalidate()
})
const router = createDashboardRouter(queryClient)

const place = document.querySelector('#root')
if (place === null) throw new Error('The page has no element with the id root.')
createRoot(place).render(
  <StrictMode>
    {/* The policy of the page takes no styles but those of files. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ToastRegion />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
