import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { operationAddress } from '../../../src/client/create-client.ts'
import type { DashboardEvent } from '../../../src/contract/dashboard-event.ts'
import { serviceOperations } from '../../../src/contract/operations/service.ts'
import type { OperationId } from './call.ts'

/** Before the stream is asked for again, after the service refused it or went away. */
const retryMs = 15_000

const siteQueries = ['listSites', 'listFindings', 'listContextRepositories', 'explainSearch'] as const
const gapQueries = ['listGaps', 'getGap', 'draftGapJob'] as const
const pullRequestQueries = ['listPullRequests', 'getPullRequest'] as const

/** The operations to read again. */
const changed: Readonly<Record<DashboardEvent['type'], readonly OperationId[]>> = {
  'site-changed': siteQueries,
  'sync-changed': [...siteQueries, ...gapQueries, ...pullRequestQueries],
  'job-changed': ['listJobs', 'findJob', ...gapQueries, ...pullRequestQueries],
  'key-changed': ['listKeys', 'listKeyUsage'],
  'conversation-added': [
    ...([
      'listThreads',
      'getThread',
      'getInsightsSummary',
      'listQuestions',
      'listTopics',
      'listGaps',
      'listKeyUsage',
    ] as const),
  ],
  'everything-changed': [],
}

/**
 * Reads again what others change while it is on the screen. What changed in a tab that was not looked at, or without the
 * stream of events, is read when it is looked at again.
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
      source = new EventSource(operationAddress(serviceOperations.followChanges, {}))
      source.addEventListener('message', ({ data }) => applyChange(client, String(data)))
      source.addEventListener('error', () => {
        // It tries again by itself, except after a refusal.
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, retryMs)
      })
    }
    // Browsers open six connections to a service at the most, for all their tabs.
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

/** Events of later versions are passed over. */
function readType(data: string): DashboardEvent['type'] | null {
  try {
    const event: unknown = JSON.parse(data)
    const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : null
    return typeof type === 'string' && Object.hasOwn(changed, type) ? (type as DashboardEvent['type']) : null
  } catch {
    return null
  }
}
