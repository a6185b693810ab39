import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** A link that makes whoever has it a member, once. */
export interface Invitation {
  id: string
  organizationId: string
  role: Row<'invitations'>['role']
  /** Whom it is for, in lower case; null for whoever has the link. */
  email: string | null
  /** The name of who made it. */
  invitedBy: string
  createdAt: number
  expiresAt: number
  usedAt: number | null
  revokedAt: number | null
}

/** @param hash Of the link's token, which is not stored. */
export async function insertInvitation(
  db: Kysely<Database>,
  invitation: Omit<Invitation, 'usedAt' | 'revokedAt'> & { hash: string },
): Promise<void> {
  const { id, organizationId, hash, role, email, invitedBy, createdAt, expiresAt } = invitation
  await db
    .insertInto('invitations')
    .values({
      id,
      organizationId,
      hash,
      role,
      email,
      invitedBy,
      createdAt,
      expiresAt,
    })
    .execute()
}

/** An invitation that can be accepted now; looking at it does not use it up. */
export async function findOpenInvitation(db: Kysely<Database>, hash: string, now: number): Promise<Invitation | null> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row === undefined ? null : toInvitation(row)
}

/** Uses an invitation up. @returns Null when it was used or revoked before, has expired or never was. */
export async function takeInvitation(db: Kysely<Database>, hash: string, now: number): Promise<Invitation | null> {
  const row = await db
    .updateTable('invitations')
    .set({ usedAt: now })
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toInvitation(row)
}

/** Newest first; the cursor is an id. */
export async function listInvitations(
  db: Kysely<Database>,
  { organizationId, limit, cursor }: ListRequest & { organizationId: string },
): Promise<Listing<Invitation>> {
  let query = db.selectFrom('invitations').selectAll().where('organizationId', '=', organizationId)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toInvitation, (row) => row.id)
}

/** One that was used or revoked before stays as it is. @returns Null when the organization has no such invitation. */
export async function revokeInvitation(
  db: Kysely<Database>,
  { organizationId, id, now }: { organizationId: string; id: string; now: number },
): Promise<Invitation | null> {
  await db
    .updateTable('invitations')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .execute()
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return row === undefined ? null : toInvitation(row)
}

/** Forgets invitations that nobody can accept any more. */
export async function removeOldInvitations(db: Kysely<Database>, expiredBefore: number): Promise<void> {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}

function toInvitation(row: Row<'invitations'>): Invitation {
  return {
    id: row.id,
    organizationId: row.organizationId,
    role: row.role,
    email: row.email,
    invitedBy: row.invitedBy,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    usedAt: row.usedAt,
    revokedAt: row.revokedAt,
  }
}
