import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from './error-page.tsx'

export interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** Shown until the first result arrives. */
  skeleton?: ReactNode
  children(data: Data): ReactNode
}

/**
 * Renders a query's data, a skeleton while loading, or the error. Existing data stays visible while it is refetched.
 */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return skeleton ?? <Skeleton />
}
