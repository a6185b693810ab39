import { bindToOrigin } from '../../base/bind-to-origin.ts'
import { createGuardedFetch } from '../../base/guarded-fetch.ts'

/** Redirects followed within the origin of a configured provider. */
const redirectsMax = 3

/**
 * Calls a provider whose address the operator configured, which may be in a private network. Redirects to another
 * origin are rejected: the request carries a key and a prompt.
 */
export const fetchConfigured: typeof fetch = bindToOrigin((input, init) => fetch(input, init), redirectsMax)

/**
 * Calls a provider whose address was stored through the API or the dashboard: public addresses only, unless the operator
 * allows private ones, and no redirects.
 */
export function createStoredAddressFetch(allowsPrivateAddresses: boolean): typeof fetch {
  return bindToOrigin(createGuardedFetch({ allowsPrivateAddresses }), 0)
}
