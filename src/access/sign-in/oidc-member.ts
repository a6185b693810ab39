import { AppError } from '../../contract/app-error.ts'
import { deleteSessionsOf } from '../../store/accounts/sessions.ts'
import {
  changeMember,
  findUserByEmail,
  findUserByIdentity,
  forgetPassword,
  getUser,
  hasIdentityOf,
  insertIdentity,
  insertUser,
  type User,
} from '../../store/accounts/users.ts'
import { type OidcOptions, roleOfGroups } from './oidc-settings.ts'
import type { OidcPerson } from './oidc-sign-in.ts'
import type { SignInDeps } from './sign-in.ts'

/** How a person whom the provider authenticated maps to a member. */
export interface OidcMember {
  user: User
  outcome: 'known' | 'joined' | 'created'
}

/**
 * Finds the member for a person whom the provider authenticated; creates one if the settings allow it.
 *
 * @param organizationId Organization that new members join.
 * @throws {AppError} `sign_in_failed` if the person may not sign in, with a hint on what to do.
 */
export async function findOidcMember(
  deps: SignInDeps,
  options: OidcOptions,
  { person, organizationId }: { person: OidcPerson; organizationId: string },
): Promise<OidcMember> {
  const { email } = person
  if (email === null) {
    throw refuse(`${options.name} has not confirmed your e-mail address. Confirm it there, then sign in again.`)
  }
  const role = roleOfGroups(options, person.groups)
  const found =
    (await findKnown(deps, person)) ??
    (await joinMember(deps, person, email)) ??
    (await createMember(deps, options, {
      person,
      email,
      organizationId,
      role: role ?? 'viewer',
      isInGroup: role !== null,
    }))
  if (role === null || found.user.role === role) return found
  // Rejected for the last owner, who stays one.
  const change = { organizationId: found.user.organizationId, userId: found.user.id, role }
  await changeMember(deps.store.durable, change)
  return { ...found, user: (await getUser(deps.store.durable, found.user.id)) ?? found.user }
}

async function findKnown({ store }: SignInDeps, person: OidcPerson): Promise<OidcMember | null> {
  const user = await findUserByIdentity(store.durable, person)
  return user === null ? null : { user, outcome: 'known' }
}

/**
 * Links the person to the member with the address that the provider has verified.
 *
 * Addresses entered with an invitation are unverified. Drop the password and sessions created with one; otherwise an
 * attacker could claim a victim's address first and then share the account.
 */
async function joinMember({ store, clock }: SignInDeps, person: OidcPerson, email: string): Promise<OidcMember | null> {
  const user = await findUserByEmail(store.durable, email)
  if (user === null) return null
  if (await hasIdentityOf(store.durable, user.id, person.issuer)) {
    throw refuse(
      'This e-mail address belongs to a member who is linked to another account at the provider. Ask an owner.',
    )
  }
  await store.durable.transaction().execute(async (transaction) => {
    await insertIdentity(transaction, { ...person, userId: user.id, createdAt: clock.now() })
    await forgetPassword(transaction, user.id)
    await deleteSessionsOf(transaction, user.id)
  })
  return { user, outcome: 'joined' }
}

interface NewOidcMember {
  person: OidcPerson
  email: string
  organizationId: string
  role: User['role']
  isInGroup: boolean
}

async function createMember(
  deps: SignInDeps,
  options: OidcOptions,
  { person, email, organizationId, role, isInGroup }: NewOidcMember,
): Promise<OidcMember> {
  const { store, clock, ids } = deps
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (!isInGroup && !options.domains.includes(domain)) {
    throw refuse('You are not a member here. Ask an owner to invite you or to allow your e-mail domain.')
  }
  const createdAt = clock.now()
  const name = person.name ?? email
  const user: User = { id: ids.prefixed('user'), organizationId, name, email, role, createdAt }
  try {
    await store.durable.transaction().execute(async (transaction) => {
      await insertUser(transaction, user)
      await insertIdentity(transaction, { ...person, userId: user.id, createdAt })
    })
  } catch (error) {
    // Two concurrent sign-ins of one person: the unique address lets only one insert succeed.
    const made = await findKnown(deps, person)
    if (made !== null) return made
    throw error
  }
  return { user, outcome: 'created' }
}

function refuse(message: string): AppError {
  return new AppError('sign_in_failed', message)
}
