import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { accountTables } from '../tables/accounts.ts'
import { columnsOf } from '../tables/define-table.ts'

/** A single-use link that makes its holder a member. */
export type Invitation = Omit<Row<'invitations'>, 'hash'>

const invitationColumns = columnsOf(accountTables.invitations, 'hash')

/** @param hash Hash of the link's token; the token itself is not stored. */
export async function insertInvitation(
  db: Db,
  invitation: Omit<Invitation, 'usedAt' | 'revokedAt'> & { hash: string },
): Promise<void> {
  await db.insertInto('invitations').values(invitation).execute()
}

/** Finds an acceptable invitation without using it up. */
export function findOpenInvitation(db: Db, hash: string, now: number): Promise<Invitation | null> {
  return firstRow(
    db
      .selectFrom('invitations')
      .select(invitationColumns)
      .where((where) => where.and({ hash, usedAt: null, revokedAt: null }))
      .where('expiresAt', '>', now),
  )
}

/** Uses up an invitation. @returns Null if it is used, revoked, expired or unknown. */
export function consumeInvitation(db: Db, hash: string, now: number): Promise<Invitation | null> {
  return firstRow(
    db
      .updateTable('invitations')
      .set({ usedAt: now })
      .where((where) => where.and({ hash, usedAt: null, revokedAt: null }))
      .where('expiresAt', '>', now)
      .returning(invitationColumns),
  )
}

/** Newest first; the cursor is an id. */
export function listInvitations(
  db: Db,
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
  db: Db,
  { organizationId, id, now }: { organizationId: string; id: string; now: number },
): Promise<Invitation | null> {
  await db
    .updateTable('invitations')
    .set({ revokedAt: now })
    .where((where) => where.and({ id, organizationId, usedAt: null, revokedAt: null }))
    .execute()
  return firstRow(
    db
      .selectFrom('invitations')
      .select(invitationColumns)
      .where('id', '=', id)
      .where('organizationId', '=', organizationId),
  )
}

/** Deletes invitations that nobody can accept any more. */
export async function removeOldInvitations(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('invitations').where('expiresAt', '<', expiredBefore).execute()
}
