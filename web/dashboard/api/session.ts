import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { operationAddress } from '../../../src/client/create-client.ts'
import type { Accept, Role } from '../../../src/contract/accounts.ts'
import { accountOperations } from '../../../src/contract/operations/accounts.ts'
import { call, queryOf, type Reply } from './call.ts'
import { setFormToken } from './send.ts'

export const sessionQuery = queryOptions({
  queryKey: ['getSession'],
  queryFn: async ({ signal }) => {
    const session = await call(accountOperations.getSession, { signal })
    setFormToken(session.formToken)
    return session
  },
  staleTime: 5 * 60_000,
})

export function signIn(body: { email: string; password: string }) {
  return call(accountOperations.signIn, { body })
}

export function signOut(body: { everywhere?: boolean } = {}) {
  return call(accountOperations.signOut, { body })
}

/** Ends all other sessions and replaces this one. */
export async function changePassword(body: { currentPassword: string; password: string }) {
  const session = await call(accountOperations.changePassword, { body })
  setFormToken(session.formToken)
  return session
}

export function acceptInfoQuery(token: string) {
  return { ...queryOf(accountOperations.inspectLink, { query: { token } }), retry: false }
}

export function acceptLink(body: Accept) {
  return call(accountOperations.acceptLink, { body })
}

/** Consumes a link without setting a password. */
export function signInWithLink(token: string) {
  return call(accountOperations.signInWithLink, { body: { token } })
}

/** Start of the identity provider's sign-in, which returns to the given address. */
export function oidcStart(returnTo: string): string {
  return operationAddress(accountOperations.startOidcSignIn, { query: { returnTo } })
}

/** Current session. Only on pages that require one. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery)
  return data
}

const ranks: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 }

/** Whether the user has at least this role. Pages hide what the role may not do; the service enforces it. */
export function useMay(role: Role): boolean {
  return hasRole(useSession().user, role)
}

export function hasRole(user: Reply<typeof accountOperations.getSession>['user'] | undefined, role: Role): boolean {
  return user != null && ranks[user.role] >= ranks[role]
}
