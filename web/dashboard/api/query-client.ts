import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, UnreachableError } from './api-error.ts'

/** How long data counts as fresh unless an event invalidates it. */
const freshMs = 15_000

const retriesMax = 2

/** Codes for a missing or expired session. A wrong password is another 401. */
const signedOutCodes: ReadonlySet<string> = new Set(['key_missing', 'session_missing'])

/** @param onSignedOut Called when the service no longer accepts the session. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ApiError && signedOutCodes.has(error.code)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // A local service responds even without a network.
        networkMode: 'always',
        retry: (failures, error) => error instanceof UnreachableError && failures < retriesMax,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
