import type { Accept } from '../../contract/accounts.ts'
import { AppError } from '../../contract/app-error.ts'
import { findOpenInvitation, type Invitation, consumeInvitation } from '../../store/accounts/invitations.ts'
import { deleteSessionsOf, findSignInLink, consumeSignInLink } from '../../store/accounts/sessions.ts'
import { changeCredentials, findUserByEmail, insertUser, type User } from '../../store/accounts/users.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { requireStrongPassword } from './password-strength.ts'
import { hashToken, isToken, type SignInDeps } from './sign-in.ts'
import { nameCommand } from '../../config/name-command.ts'

export interface AcceptDeps extends SignInDeps {
  passwords: PasswordHasher
}

/** What a link is for. */
export type OpenLink =
  | { kind: 'sign-in-link'; user: User; hasPassword: boolean; expiresAt: number }
  | { kind: 'invitation'; invitation: Invitation }

/** Looks up what a link token is for, without using it up. @throws {AppError} `form_expired`. */
export async function findOpenLink({ store, clock }: SignInDeps, token: string): Promise<OpenLink> {
  if (!isToken(token)) throw linkExpired()
  const hash = hashToken(token)
  const link = await findSignInLink(store.durable, hash, clock.now())
  if (link !== null) return { kind: 'sign-in-link', ...link }
  const invitation = await findOpenInvitation(store.durable, hash, clock.now())
  if (invitation !== null) return { kind: 'invitation', invitation }
  throw linkExpired()
}

/**
 * Uses up a link: sets the password of the user it belongs to, or creates a member from an invitation. A new password
 * ends all existing sessions.
 *
 * @returns The user, who may start a session.
 * @throws {AppError} `form_expired`; `invalid_request` if something is missing or the password is easy to guess;
 *   `conflict` if the e-mail address belongs to another user. Except after `form_expired`, the link remains valid.
 */
export async function acceptLink(deps: AcceptDeps, accept: Accept): Promise<User & { isNew: boolean }> {
  const link = await findOpenLink(deps, accept.token)
  return link.kind === 'sign-in-link' ? acceptSignInLink(deps, accept, link.user) : join(deps, accept, link.invitation)
}

async function acceptSignInLink({ store, clock, passwords }: AcceptDeps, accept: Accept, user: User) {
  const email = user.email ?? accept.email ?? missing('email', 'an e-mail address')
  const name = accept.name ?? user.name
  const other = await findUserByEmail(store.durable, email)
  if (other !== null && other.id !== user.id) throw emailTaken()
  await requireStrongPassword(accept.password, [name, email])
  const passwordHash = await passwords.hash(accept.password)
  await withUniqueEmail(() =>
    store.durable.transaction().execute(async (transaction) => {
      if ((await consumeSignInLink(transaction, hashToken(accept.token), clock.now())) === null) throw linkExpired()
      await changeCredentials(transaction, user.id, { name, email, passwordHash })
      await deleteSessionsOf(transaction, user.id)
    }),
  )
  return { ...user, name, email, isNew: false }
}

async function join({ store, clock, ids, passwords }: AcceptDeps, accept: Accept, invitation: Invitation) {
  const email = invitation.email ?? accept.email ?? missing('email', 'an e-mail address')
  const name = accept.name ?? missing('name', 'a name')
  if ((await findUserByEmail(store.durable, email)) !== null) throw emailTaken()
  await requireStrongPassword(accept.password, [name, email])
  const passwordHash = await passwords.hash(accept.password)
  const { organizationId, role } = invitation
  const user: User = { id: ids.prefixed('user'), organizationId, name, email, role, createdAt: clock.now() }
  await withUniqueEmail(() =>
    store.durable.transaction().execute(async (transaction) => {
      if ((await consumeInvitation(transaction, hashToken(accept.token), clock.now())) === null) throw linkExpired()
      await insertUser(transaction, user)
      await changeCredentials(transaction, user.id, { passwordHash })
    }),
  )
  return { ...user, isNew: true }
}

/** If two people claim one address concurrently, the database rejects one. */
async function withUniqueEmail(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (error instanceof Error && /unique/i.test(error.message) && /email/i.test(error.message)) throw emailTaken()
    throw error
  }
}

function missing(path: string, what: string): never {
  throw new AppError('invalid_request', `The request is not valid: ${path}: give ${what}`, {
    details: [{ path, message: `give ${what}` }],
  })
}

function linkExpired(): AppError {
  return new AppError(
    'form_expired',
    `This link was used or revoked, or it has expired. Ask for a new one; owners create theirs with: ${nameCommand('owner-link')}`,
  )
}

function emailTaken(): AppError {
  return new AppError('conflict', 'This e-mail address belongs to a member already. Sign in, or use another address.')
}
