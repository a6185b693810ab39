import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { readPullRequestAddress } from '../pull-request/pull-request-address.ts'
import { readReturnAddress } from './return-address.ts'

/** Returns a function that opens the requested page after signing in. */
export function useEnter(): (returnTo: string | undefined) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (returnTo) => {
    const address = readReturnAddress(returnTo, location.origin)
    // The page of a pull request is outside the router.
    if (readPullRequestAddress(address) !== null) return location.assign(address)
    client.clear()
    await client.prefetchQuery({ ...sessionQuery, staleTime: 0 })
    router.history.push(address)
  }
}
