import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Accept, AcceptInfo, Role, SessionResource } from '../../../src/contract/accounts.ts'
import { request, setFormToken, withQuery } from './request.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await request<SessionResource>('GET', '/auth/session', undefined, signal)
    setFormToken(session.formToken)
    return session
  },
  staleTime: 5 * 60_000,
})

export async function signIn(input: { email: string; password: string }): Promise<void> {
  await request('POST', '/auth/sign-in', input)
}

export async function signOut(): Promise<void> {
  await request('POST', '/auth/sign-out')
}

export async function signOutEverywhere(): Promise<void> {
  await request('POST', '/auth/sign-out', { everywhere: true })
}

/** Ends all other sessions, and goes on in a new one. */
export async function changePassword(input: { currentPassword: string; password: string }): Promise<SessionResource> {
  const session = await request<SessionResource>('POST', '/auth/password', input)
  setFormToken(session.formToken)
  return session
}

export function acceptInfoQuery(token: string) {
  return queryOptions({
    queryKey: ['accept', token],
    queryFn: ({ signal }) => request<AcceptInfo>('GET', withQuery('/auth/accept', { token }), undefined, signal),
    retry: false,
  })
}

export async function accept(input: Accept): Promise<void> {
  await request('POST', '/auth/accept', input)
}

/** Uses a link up without setting a password. */
export async function signInWithLink(token: string): Promise<void> {
  await request('POST', '/auth/link', { token })
}

/** Where the sign-in of the identity provider begins. It comes back to the address. */
export function oidcStart(returnTo: string): string {
  return withQuery('/auth/oidc/start', { returnTo })
}

/** Who is signed in. Only on pages that show for nobody else. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery)
  return data
}

const ranks: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 }

/** Whether who is signed in may do what needs this role. What they may not do is not offered; the service refuses it anyway. */
export function useMay(role: Role): boolean {
  return hasRole(useSession().user, role)
}

export function hasRole(user: SessionResource['user'] | undefined, role: Role): boolean {
  return user != null && ranks[user.role] >= ranks[role]
}
