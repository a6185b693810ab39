import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'
import { accountTables } from '../tables/accounts.ts'
import { columnsOf } from '../tables/define-table.ts'

/** A single-use link that makes its holder a member. */
export type Invitation = Omit<Row<'invitations'>, 'hash'>

const invitationColumns = columnsOf(accountTables.invitations, 'hash')

/** @param hash Hash of the link's token; the token itself is not stored. */
export async function insertInvitation(
  db: Kysely<Database>,
  invitation: Omit<Invitation, 'usedAt' | 'revokedAt'> & { hash: string },
): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** Finds an acceptable invitation without using it up. */
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

/** Uses up an invitation. @returns Null if it is used, revoked, expired or unknown. */
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

/** Has no effect on used or revoked invitations. @returns Null if the organization has no such invitation. */
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

/** Deletes invitations that nobody can accept any more. */
export async function removeOldInvitations(db: Kysely<Database>, expiredBefore: number): Promise<void> {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}
