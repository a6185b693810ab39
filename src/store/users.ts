import type { Kysely } from 'kysely'
import type { Database, Row } from './schema.ts'

/** Somebody who signs in. */
export interface User {
  id: string
  organizationId: string
  name: string
  role: 'owner'
  createdAt: number
}

export async function insertUser(db: Kysely<Database>, user: User): Promise<void> {
  const { id, organizationId, name, role, createdAt } = user
  await db
    .insertInto('users')
    .values({ id, organization_id: organizationId, name, role, created_at: createdAt })
    .execute()
}

/** The owner that was made first; null when the organization has none. */
export async function findOwner(db: Kysely<Database>, organizationId: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .orderBy('id')
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

/** What opens a session or is one: only the hash of it is stored. */
export interface UserToken {
  hash: string
  userId: string
  createdAt: number
  expiresAt: number
}

/** A link that signs its user in, once. */
export async function insertSignInLink(db: Kysely<Database>, link: UserToken): Promise<void> {
  await db.insertInto('sign_in_links').values(toTokenRow(link)).execute()
}

/** Uses a link up. @returns Its user; null when it was used before, has expired or never was. */
export async function takeSignInLink(db: Kysely<Database>, hash: string, now: number): Promise<string | null> {
  const row = await db
    .deleteFrom('sign_in_links')
    .where('hash', '=', hash)
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.expires_at > now ? row.user_id : null
}

export async function insertSession(db: Kysely<Database>, session: UserToken): Promise<void> {
  await db.insertInto('sessions').values(toTokenRow(session)).execute()
}

/** The user of a session; null when it has ended or never was. */
export async function findSessionUser(db: Kysely<Database>, hash: string, now: number): Promise<User | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.hash', '=', hash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : toUser(row)
}

export async function deleteSession(db: Kysely<Database>, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** Forgets sessions and links that have expired. */
export async function deleteExpiredSessions(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
}

function toTokenRow({ hash, userId, createdAt, expiresAt }: UserToken): Row<'sessions'> {
  return { hash, user_id: userId, created_at: createdAt, expires_at: expiresAt }
}

function toUser(row: Row<'users'>): User {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
  }
}
