import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, UnreachableError } from './api-error.ts'

/** What was read is believed for so long without asking again, unless an event says that it changed. */
const freshMs = 15_000

const retriesMax = 2

/** The session is over, or was never sent. A wrong password is another 401. */
const signedOutCodes: ReadonlySet<string> = new Set(['key_missing', 'session_missing'])

/** @param onSignedOut Called when the service no longer knows the session. */
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
        // A service on this machine answers whether or not there is a network.
        networkMode: 'always',
        retry: (failures, error) => error instanceof UnreachableError && failures < retriesMax,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
