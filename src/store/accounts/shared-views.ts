import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { columnsOf } from '../tables/define-table.ts'
import { sharedViewTables } from '../tables/shared-views.ts'

/** A link that shows numbers of the insights to anyone. */
export type SharedView = Omit<Row<'sharedViews'>, 'hash'>

const sharedViewColumns = columnsOf(sharedViewTables.sharedViews, 'hash')

/** @param view.hash Of the link's token; the token itself is not stored. */
export async function insertSharedView(db: Db, view: Row<'sharedViews'>): Promise<void> {
  await db.insertInto('sharedViews').values(view).execute()
}

/** Null if the link is revoked, expired or unknown. */
export function findOpenSharedView(db: Db, hash: string, now: number): Promise<SharedView | null> {
  return firstRow(
    db
      .selectFrom('sharedViews')
      .select(sharedViewColumns)
      .where('hash', '=', hash)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now),
  )
}

/** Newest first; the cursor is an id. */
export function listSharedViews(
  db: Db,
  request: ListRequest & { organizationId: string },
): Promise<Listing<SharedView>> {
  const query = db
    .selectFrom('sharedViews')
    .select(sharedViewColumns)
    .where('organizationId', '=', request.organizationId)
  return listById(query, request, 'desc')
}

/** @returns Null if the organization has no such view. */
export function revokeSharedView(
  db: Db,
  { organizationId, id, now }: { organizationId: string; id: string; now: number },
): Promise<SharedView | null> {
  return firstRow(
    db
      .updateTable('sharedViews')
      .set(({ fn, val }) => ({ revokedAt: fn.coalesce('revokedAt', val(now)) }))
      .where('id', '=', id)
      .where('organizationId', '=', organizationId)
      .returning(sharedViewColumns),
  )
}

/** Deletes links that nobody can open any more. */
export async function removeOldSharedViews(db: Db, expiredBefore: number): Promise<void> {
  await db.deleteFrom('sharedViews').where('expiresAt', '<', expiredBefore).execute()
}
