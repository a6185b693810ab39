import { weekMs } from '../../base/durations.ts'
import type { Role } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import { insertInvitation, type Invitation } from '../../store/accounts/invitations.ts'
import { insertSignInLink } from '../../store/accounts/sessions.ts'
import { findUserByEmail } from '../../store/accounts/users.ts'
import { linkLifetimeMs, makeToken, type SignInDeps } from './sign-in.ts'

/** Long enough for a week's holiday, short enough that a link in an old message is useless. */
const invitationLifetimeMs = weekMs

/** Where members use a link token. */
export function acceptUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/accept?token=${token}`
}

export interface InviteInput {
  organizationId: string
  role: Role
  /** Invitee's e-mail address in lower case; null if anyone with the link may accept. */
  email: string | null
  /** Name of the inviter. */
  invitedBy: string
}

/**
 * Creates a single-use link for joining as a member.
 *
 * @returns The token of the link, which cannot be recovered later.
 * @throws {AppError} `conflict` if the address belongs to a member.
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

/** Creates a single-use sign-in link for a member who has lost the password. */
export async function makeSignInLink(deps: SignInDeps, userId: string): Promise<{ token: string; expiresAt: number }> {
  const { token, hash } = makeToken(deps)
  const createdAt = deps.clock.now()
  const expiresAt = createdAt + linkLifetimeMs
  await insertSignInLink(deps.store.durable, { hash, userId, createdAt, expiresAt })
  return { token, expiresAt }
}
