import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'
import { accountTables } from '../tables/accounts.ts'
import { columnsOf } from '../tables/define-table.ts'

/** A link that makes whoever has it a member, once. */
export type Invitation = Omit<Row<'invitations'>, 'hash'>

const invitationColumns = columnsOf(accountTables.invitations, 'hash')

/** @param hash Of the link's token, which is not stored. */
export async function insertInvitation(
  db: Kysely<Database>,
  invitation: Omit<Invitation, 'usedAt' | 'revokedAt'> & { hash: string },
): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** An invitation that can be accepted now; looking at it does not use it up. */
export async function findOpenInvitation(db: Kysely<Database>, hash: string, now: number): Promise<Invitation | null> {
  const row = await db
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ?? null
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
    .returning(invitationColumns)
    .executeTakeFirst()
  return row ?? null
}

/** Newest first; the cursor is an id. */
export function listInvitations(
  db: Kysely<Database>,
  request: ListRequest & { organizationId: string },
): Promise<Listing<Invitation>> {
  const query = db
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('organizationId', '=', request.organizationId)
  return listById(query, request, 'desc')
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
    .select(invitationColumns)
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return row ?? null
}

/** Forgets invitations that nobody can accept any more. */
export async function removeOldInvitations(db: Kysely<Database>, expiredBefore: number): Promise<void> {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}
