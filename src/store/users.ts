import type { Kysely } from 'kysely'
import { inTransaction } from './in-transaction.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** Somebody who signs in. */
export interface User {
  id: string
  organizationId: string
  name: string
  /** In lower case, and of one user only; null for an owner who has set none yet. */
  email: string | null
  role: Row<'users'>['role']
  createdAt: number
}

/** A user as members are listed. */
export interface Member extends User {
  lastSignInAt: number | null
}

export async function insertUser(db: Kysely<Database>, user: User): Promise<void> {
  const { id, organizationId, name, email, role, createdAt } = user
  await db.insertInto('users').values({ id, organizationId, name, email, role, createdAt }).execute()
}

export async function getUser(db: Kysely<Database>, id: string): Promise<Member | null> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toMember(row)
}

/** The owner that was made first; null when the organization has none. */
export async function findOwner(db: Kysely<Database>, organizationId: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('id')
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

/** @param email In lower case. */
export async function findUserByEmail(db: Kysely<Database>, email: string): Promise<User | null> {
  const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

/** The stored hash of a user's password; null without a password or a user. */
export async function readPasswordHash(db: Kysely<Database>, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirst()
  return row?.passwordHash ?? null
}

export interface CredentialsChange {
  name?: string | undefined
  email?: string | undefined
  passwordHash: string
}

/** Sets the password of a user, and the name and the e-mail address where they are given. */
export async function changeCredentials(db: Kysely<Database>, userId: string, change: CredentialsChange) {
  await db
    .updateTable('users')
    .set({
      passwordHash: change.passwordHash,
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.email === undefined ? {} : { email: change.email }),
    })
    .where('id', '=', userId)
    .execute()
}

/** Takes the password of a user away, who signs in with a provider from then on. */
export async function forgetPassword(db: Kysely<Database>, userId: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', userId).execute()
}

export async function noteSignIn(db: Kysely<Database>, userId: string, now: number): Promise<void> {
  await db.updateTable('users').set({ lastSignInAt: now }).where('id', '=', userId).execute()
}

/** Whether anybody of an organization can sign in by themselves, with a password or with a provider. */
export async function hasUserWhoSignsIn(db: Kysely<Database>, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('passwordHash', 'is not', null),
        exists(selectFrom('userIdentities').select('subject').whereRef('userIdentities.userId', '=', 'users.id')),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** By id, which is the order of their coming. */
export async function listMembers(
  db: Kysely<Database>,
  { organizationId, limit, cursor }: ListRequest & { organizationId: string },
): Promise<Listing<Member>> {
  let query = db.selectFrom('users').selectAll().where('organizationId', '=', organizationId)
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toMember, (row) => row.id)
}

export interface MemberChange {
  organizationId: string
  userId: string
  /** Null removes the member, whose sessions go too. */
  role: User['role'] | null
}

/**
 * Changes the role of a member, or removes them.
 *
 * One change of members at a time in an organization, so that two owners who leave at the same moment do not both find
 * the other one still there.
 *
 * @returns `missing` when the organization has no such member; `last-owner` when it would be left without an owner.
 */
export function changeMember(
  db: Kysely<Database>,
  { organizationId, userId, role }: MemberChange,
): Promise<'changed' | 'missing' | 'last-owner'> {
  return inTransaction(db, async (transaction) => {
    // A write of its own row locks the organization on both databases.
    await transaction
      .updateTable('organizations')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', organizationId)
      .execute()
    const owners = await transaction
      .selectFrom('users')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where('role', '=', 'owner')
      .execute()
    const isLastOwner = owners.length === 1 && owners[0]?.id === userId
    if (isLastOwner && role !== 'owner') return 'last-owner'
    const where = { id: userId, organizationId }
    const changed =
      role === null
        ? await transaction
            .deleteFrom('users')
            .where(({ and }) => and(where))
            .returning('id')
            .execute()
        : await transaction
            .updateTable('users')
            .set({ role })
            .where(({ and }) => and(where))
            .returning('id')
            .execute()
    return changed.length > 0 ? 'changed' : 'missing'
  })
}

/** Whom a provider of OpenID Connect means. */
export interface UserIdentity {
  issuer: string
  subject: string
}

export async function findUserByIdentity(db: Kysely<Database>, identity: UserIdentity): Promise<User | null> {
  const row = await db
    .selectFrom('userIdentities')
    .innerJoin('users', 'users.id', 'userIdentities.userId')
    .selectAll('users')
    .where('userIdentities.issuer', '=', identity.issuer)
    .where('userIdentities.subject', '=', identity.subject)
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

/** Whether a user is known to an issuer already, under whatever subject. */
export async function hasIdentityOf(db: Kysely<Database>, userId: string, issuer: string): Promise<boolean> {
  const row = await db
    .selectFrom('userIdentities')
    .select('subject')
    .where('userId', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  return row !== undefined
}

/** Binds an identity to a user; one that is bound already stays as it is. */
export async function insertIdentity(
  db: Kysely<Database>,
  { issuer, subject, userId, createdAt }: UserIdentity & { userId: string; createdAt: number },
): Promise<void> {
  await db
    .insertInto('userIdentities')
    .values({ issuer, subject, userId, createdAt })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute()
}

export function toUser(row: Row<'users'>): User {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    email: row.email,
    role: row.role,
    createdAt: row.createdAt,
  }
}

function toMember(row: Row<'users'>): Member {
  return { ...toUser(row), lastSignInAt: row.lastSignInAt }
}
