import { inTransaction } from '../in-transaction.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { accountTables } from '../tables/accounts.ts'
import { columnsOf } from '../tables/define-table.ts'

/** A user as shown in member lists. */
export type Member = Omit<Row<'users'>, 'passwordHash'>

/** A signed-in user. */
export type User = Omit<Member, 'lastSignInAt'>

const memberColumns = columnsOf(accountTables.users, 'passwordHash')
const userColumns = columnsOf(accountTables.users, 'passwordHash', 'lastSignInAt')
/** For queries with joins. */
export const joinedUserColumns = userColumns.map((column) => `users.${column}` as const)

export async function insertUser(db: Db, user: User): Promise<void> {
  await db.insertInto('users').values(user).execute()
}

export function getUser(db: Db, id: string): Promise<Member | null> {
  return firstRow(db.selectFrom('users').select(memberColumns).where('id', '=', id))
}

/** The first owner; null if the organization has none. */
export function findOwner(db: Db, organizationId: string): Promise<User | null> {
  return firstRow(
    db
      .selectFrom('users')
      .select(userColumns)
      .where('organizationId', '=', organizationId)
      .where('role', '=', 'owner')
      .orderBy('id'),
  )
}

/** @param email Lowercase. */
export function findUserByEmail(db: Db, email: string): Promise<User | null> {
  return firstRow(db.selectFrom('users').select(userColumns).where('email', '=', email))
}

/** Null without a password or a user. */
export async function readPasswordHash(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirst()
  return row?.passwordHash ?? null
}

export interface CredentialsChange {
  name?: string | undefined
  email?: string | undefined
  passwordHash: string
}

/** Sets a user's password, and the name and email address if given. */
export async function changeCredentials(db: Db, userId: string, change: CredentialsChange) {
  await db.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Removes a user's password; from then on they sign in with a provider. */
export async function forgetPassword(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash: null }).where('id', '=', userId).execute()
}

export async function recordSignIn(db: Db, userId: string, now: number): Promise<void> {
  await db.updateTable('users').set({ lastSignInAt: now }).where('id', '=', userId).execute()
}

/** Whether any member of the organization can sign in, with a password or through a provider. */
export function hasUserWhoSignsIn(db: Db, organizationId: string): Promise<boolean> {
  return hasRow(
    db
      .selectFrom('users')
      .select('id')
      .where('organizationId', '=', organizationId)
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('passwordHash', 'is not', null),
          exists(selectFrom('userIdentities').select('subject').whereRef('userIdentities.userId', '=', 'users.id')),
        ]),
      )
      .limit(1),
  )
}

/** By id, so in the order of creation. */
export function listMembers(db: Db, request: ListRequest & { organizationId: string }): Promise<Listing<Member>> {
  const query = db.selectFrom('users').select(memberColumns).where('organizationId', '=', request.organizationId)
  return listById(query, request)
}

export interface MemberChange {
  organizationId: string
  userId: string
  /** Null removes the member and their sessions. */
  role: User['role'] | null
}

/**
 * Changes a member's role or removes them.
 *
 * Serializes member changes within an organization, so that two owners who leave at the same moment do not each count
 * the other as remaining.
 *
 * @returns `missing` if the organization has no such member; `last-owner` if it would be left without an owner.
 */
export function changeMember(
  db: Db,
  { organizationId, userId, role }: MemberChange,
): Promise<'changed' | 'missing' | 'last-owner'> {
  return inTransaction(db, async (transaction) => {
    // A no-op update locks the organization's row on both databases.
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

/** A user as identified by an OpenID Connect provider. */
export type UserIdentity = Pick<Row<'userIdentities'>, 'issuer' | 'subject'>

export async function findUserByIdentity(db: Db, identity: UserIdentity): Promise<User | null> {
  const row = await db
    .selectFrom('userIdentities')
    .innerJoin('users', 'users.id', 'userIdentities.userId')
    .select(joinedUserColumns)
    .where('userIdentities.issuer', '=', identity.issuer)
    .where('userIdentities.subject', '=', identity.subject)
    .executeTakeFirst()
  return row ?? null
}

/** Whether a user already has an identity of the issuer, under any subject. */
export function hasIdentityOf(db: Db, userId: string, issuer: string): Promise<boolean> {
  return hasRow(
    db.selectFrom('userIdentities').select('subject').where('userId', '=', userId).where('issuer', '=', issuer),
  )
}

/** Binds an identity to a user. Already bound identities are left unchanged. */
export async function insertIdentity(
  db: Db,
  { issuer, subject, userId, createdAt }: Row<'userIdentities'>,
): Promise<void> {
  await db
    .insertInto('userIdentities')
    .values({ issuer, subject, userId, createdAt })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute()
}
