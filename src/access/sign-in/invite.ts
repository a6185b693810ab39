import type { Role } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import { insertInvitation, type Invitation } from '../../store/accounts/invitations.ts'
import { insertSignInLink } from '../../store/accounts/sessions.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import { linkLifetimeMs, makeToken, type SignInDeps } from './sign-in.ts'

/** Long enough for a holiday week, short enough that a link in an old message opens nothing. */
const invitationLifetimeMs = 7 * 24 * 60 * 60_000

/** Where members use the token of a link. */
export function acceptUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/accept?token=${token}`
}

export interface InviteInput {
  organizationId: string
  role: Role
  /** Whom it is for, in lower case; null for whoever has the link. */
  email: string | null
  /** The name of who invites. */
  invitedBy: string
}

/**
 * Makes a link that makes a member, once.
 *
 * @returns The token of the link, which can never be read again.
 * @throws {AppError} `conflict` for the address of somebody who is a member.
 */
export async function invite(
  deps: SignInDeps,
  { organizationId, role, email, invitedBy }: InviteInput,
): Promise<{ invitation: Invitation; token: string }> {
  const { store, clock, ids } = deps
  if (email !== null && (await findUserByEmail(store.durable, email)) !== null) {
    throw new AppError('conflict', `${email} belongs to a member already. Change the role of the member instead.`)
  }
  const { token, hash } = makeToken(deps)
  const createdAt = clock.now()
  const made = {
    id: ids.prefixed('invitation'),
    organizationId,
    role,
    email,
    invitedBy,
    createdAt,
    expiresAt: createdAt + invitationLifetimeMs,
  }
  await insertInvitation(store.durable, { ...made, hash })
  return { invitation: { ...made, usedAt: null, revokedAt: null }, token }
}

/** Makes a link that signs a member in, once: for one who has lost the password. */
export async function makeSignInLink(deps: SignInDeps, userId: string): Promise<{ token: string; expiresAt: number }> {
  const { token, hash } = makeToken(deps)
  const createdAt = deps.clock.now()
  const expiresAt = createdAt + linkLifetimeMs
  await insertSignInLink(deps.store.durable, { hash, userId, createdAt, expiresAt })
  return { token, expiresAt }
}
