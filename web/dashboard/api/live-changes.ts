import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { operationAddress } from '../../../src/client/create-client.ts'
import type { DashboardEvent } from '../../../src/contract/dashboard-event.ts'
import { changeOperations } from '../../../src/contract/operations/changes.ts'
import type { OperationId } from './call.ts'

/** Delay before reconnecting after the service refused the stream or went away. */
const retryMs = 15_000

const siteQueries = [
  'getHome',
  'listSites',
  'listFindings',
  'listContextRepositories',
  'listBots',
  'explainSearch',
  'getWidgetSettings',
] as const
const gapQueries = ['listGaps', 'getGap', 'draftGapJob'] as const
const discrepancyQueries = ['listDiscrepancies', 'listAllDiscrepancies'] as const
const pullRequestQueries = ['listPullRequests', 'getPullRequest'] as const

/** Operations whose queries become stale, per event. */
const changed: Readonly<Record<DashboardEvent['type'], readonly OperationId[]>> = {
  'site-changed': siteQueries,
  'sync-changed': [...siteQueries, ...gapQueries, ...pullRequestQueries, ...discrepancyQueries],
  'job-changed': ['getHome', 'listJobs', 'findJob', ...gapQueries, ...pullRequestQueries, ...discrepancyQueries],
  'key-changed': ['listKeys', 'listKeyUsage', 'listWidgetOrigins'],
  'conversation-added': [
    ...([
      'getHome',
      'listThreads',
      'getThread',
      'getInsightsSummary',
      'listQuestions',
      'listTopics',
      'listGaps',
      'listKeyUsage',
      'listWidgetOrigins',
    ] as const),
  ],
  'everything-changed': [],
}

/**
 * Refreshes visible data when others change it. Changes that happen while the tab is hidden or disconnected are read
 * when it is visible again.
 */
export function useLiveChanges(): void {
  const client = useQueryClient()
  useEffect(() => {
    let source: EventSource | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const close = () => {
      clearTimeout(timer)
      source?.close()
    }
    const open = () => {
      source = new EventSource(operationAddress(changeOperations.followChanges, {}))
      source.addEventListener('message', ({ data }) => applyChange(client, String(data)))
      source.addEventListener('error', () => {
        // EventSource reconnects by itself, except after a refusal.
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, retryMs)
      })
    }
    // Browsers open at most six connections to a host, across all tabs.
    const onVisibility = () => {
      close()
      if (!document.hidden) open()
    }
    onVisibility()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      close()
    }
  }, [client])
}

function applyChange(client: QueryClient, data: string): void {
  const type = readType(data)
  if (type === null) return
  const names = changed[type]
  void client.invalidateQueries({
    predicate: ({ queryKey }) => type === 'everything-changed' || names.some((name) => name === queryKey[0]),
  })
}

/** Ignores events of later versions. */
function readType(data: string): DashboardEvent['type'] | null {
  try {
    const event: unknown = JSON.parse(data)
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : null
    return typeof type === 'string' && Object.hasOwn(changed, type) ? (type as DashboardEvent['type']) : null
  } catch {
    return null
  }
}
