import type { Db, Row } from '../schema.ts'
import { joinedUserColumns, type User } from './users.ts'

/** A token that opens a session; only its hash is stored. */
export type UserToken = Row<'signInLinks'>

/** Stores a single-use sign-in link. */
export async function insertSignInLink(db: Db, link: UserToken): Promise<void> {
  await db.insertInto('signInLinks').values(link).execute()
}

/** Finds a link's user without using up the link. */
export async function findSignInLink(
  db: Db,
  hash: string,
  now: number,
): Promise<{ user: User; hasPassword: boolean; expiresAt: number } | null> {
  const row = await db
    .selectFrom('signInLinks')
    .innerJoin('users', 'users.id', 'signInLinks.userId')
    .select([...joinedUserColumns, 'users.passwordHash', 'signInLinks.expiresAt'])
    .where('signInLinks.hash', '=', hash)
    .where('signInLinks.expiresAt', '>', now)
    .executeTakeFirst()
  if (row === undefined) return null
  const { passwordHash, expiresAt, ...user } = row
  return { user, hasPassword: passwordHash !== null, expiresAt }
}

/** Uses up a link. @returns Its user; null if it is used, expired or unknown. */
export async function consumeSignInLink(db: Db, hash: string, now: number): Promise<string | null> {
  const row = await db
    .deleteFrom('signInLinks')
    .where('hash', '=', hash)
    .returning(['userId', 'expiresAt'])
    .executeTakeFirst()
  return row !== undefined && row.expiresAt > now ? row.userId : null
}

export type SessionRecord = Row<'sessions'>

export async function insertSession(db: Db, session: SessionRecord): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** The user of a session; null if it has ended or is unknown. */
export async function findSessionUser(
  db: Db,
  hash: string,
  now: number,
): Promise<{ user: User; idleUntil: number } | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select([...joinedUserColumns, 'sessions.idleUntil'])
    .where('sessions.hash', '=', hash)
    .where('sessions.expiresAt', '>', now)
    .where('sessions.idleUntil', '>', now)
    .executeTakeFirst()
  if (row === undefined) return null
  const { idleUntil, ...user } = row
  return { user, idleUntil }
}

/** Extends the idle limit of a session in use. */
export async function touchSession(db: Db, hash: string, idleUntil: number): Promise<void> {
  await db.updateTable('sessions').set({ idleUntil }).where('hash', '=', hash).execute()
}

export async function deleteSession(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** Ends all sessions of a user and revokes their sign-in links. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('userId', '=', userId).execute()
  await db.deleteFrom('signInLinks').where('userId', '=', userId).execute()
}

/** Deletes expired sessions and links. */
export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute()
  await db.deleteFrom('sessions').where('idleUntil', '<=', now).execute()
  await db.deleteFrom('signInLinks').where('expiresAt', '<=', now).execute()
}
