import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { toUser, type User } from './users.ts'

/** What opens a session or is one: only the hash of it is stored. */
export interface UserToken {
  hash: string
  userId: string
  createdAt: number
  expiresAt: number
}

/** A link that signs its user in, once. */
export async function insertSignInLink(db: Kysely<Database>, link: UserToken): Promise<void> {
  const { hash, userId, createdAt, expiresAt } = link
  await db
    .insertInto('sign_in_links')
    .values({ hash, user_id: userId, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

/** The user of a link that is left unused by looking at it. */
export async function findSignInLink(
  db: Kysely<Database>,
  hash: string,
  now: number,
): Promise<{ user: User; hasPassword: boolean; expiresAt: number } | null> {
  const row = await db
    .selectFrom('sign_in_links')
    .innerJoin('users', 'users.id', 'sign_in_links.user_id')
    .selectAll('users')
    .select('sign_in_links.expires_at')
    .where('sign_in_links.hash', '=', hash)
    .where('sign_in_links.expires_at', '>', now)
    .executeTakeFirst()
  if (row === undefined) return null
  return { user: toUser(row), hasPassword: row.password_hash !== null, expiresAt: row.expires_at }
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

export interface SessionRecord extends UserToken {
  /** When it ends unless it is used until then. */
  idleUntil: number
}

export async function insertSession(db: Kysely<Database>, session: SessionRecord): Promise<void> {
  const { hash, userId, createdAt, expiresAt, idleUntil } = session
  await db
    .insertInto('sessions')
    .values({ hash, user_id: userId, created_at: createdAt, expires_at: expiresAt, idle_until: idleUntil })
    .execute()
}

/** The user of a session; null when it has ended or never was. `idleUntil` is null for one of an older version. */
export async function findSessionUser(
  db: Kysely<Database>,
  hash: string,
  now: number,
): Promise<{ user: User; idleUntil: number | null } | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select('sessions.idle_until')
    .where('sessions.hash', '=', hash)
    .where('sessions.expires_at', '>', now)
    .where(({ or, eb }) => or([eb('sessions.idle_until', 'is', null), eb('sessions.idle_until', '>', now)]))
    .executeTakeFirst()
  return row === undefined ? null : { user: toUser(row), idleUntil: row.idle_until }
}

/** Notes that a session is used, which moves its idle end. */
export async function touchSession(db: Kysely<Database>, hash: string, idleUntil: number): Promise<void> {
  await db.updateTable('sessions').set({ idle_until: idleUntil }).where('hash', '=', hash).execute()
}

export async function deleteSession(db: Kysely<Database>, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** Ends every session of a user, and takes their links back. */
export async function deleteSessionsOf(db: Kysely<Database>, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await db.deleteFrom('sign_in_links').where('user_id', '=', userId).execute()
}

/** Forgets sessions and links that have expired. */
export async function deleteExpiredSessions(db: Kysely<Database>, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sessions').where('idle_until', '<=', now).execute()
  await db.deleteFrom('sign_in_links').where('expires_at', '<=', now).execute()
}
