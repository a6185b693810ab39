import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from './error-page.tsx'

export interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  /** Stands there until the first answer comes. */
  skeleton?: ReactNode
  children(data: Data): ReactNode
}

/** Shows what a query has read, or its outline, or why it could not be read. What was read before stays until then. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return skeleton ?? <Skeleton />
}
