import { bindToOrigin } from '../../base/bind-to-origin.ts'
import { createGuardedFetch } from '../../base/guarded-fetch.ts'

/** How many redirects within its own origin a configured provider may answer with. */
const redirectsMax = 3

/**
 * Calls a provider whose address the operator configured. It may be in a private network; no redirect takes the request,
 * with its key and its prompt, to another origin.
 */
export const fetchConfigured: typeof fetch = bindToOrigin((input, init) => fetch(input, init), redirectsMax)

/**
 * Calls a provider whose address was stored through the API or the dashboard: public addresses only, unless the operator
 * allows private ones, and no redirects.
 */
export function createStoredAddressFetch(allowsPrivateAddresses: boolean): typeof fetch {
  return bindToOrigin(createGuardedFetch({ allowsPrivateAddresses }), 0)
}
