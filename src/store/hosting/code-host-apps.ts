import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged, hasRow } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** An organization's App on a code host, which issues tokens for the repositories it is installed on. */
export type CodeHostApp = Row<'codeHostApps'>

/** @returns False if the organization already has an App on the host. */
export function insertCodeHostApp(db: Db, app: CodeHostApp): Promise<boolean> {
  return hasRow(
    db
      .insertInto('codeHostApps')
      .values(app)
      .onConflict((conflict) => conflict.columns(['organizationId', 'kind', 'origin']).doNothing())
      .returning('id'),
  )
}

export async function getCodeHostApp(db: Db, id: string): Promise<CodeHostApp | null> {
  const row = await db.selectFrom('codeHostApps').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** An organization's App on one host; null if there is none. */
export function findCodeHostApp(
  db: Db,
  { organizationId, kind, origin }: Pick<CodeHostApp, 'organizationId' | 'kind' | 'origin'>,
): Promise<CodeHostApp | null> {
  return firstRow(
    db
      .selectFrom('codeHostApps')
      .selectAll()
      .where((where) => where.and({ organizationId, kind, origin })),
  )
}

/** All Apps with that `appId`, which hosts assign, so that several hosts may use the same one. At most 100, by id. */
export async function listCodeHostAppsByNumber(
  db: Db,
  { kind, appId }: Pick<CodeHostApp, 'kind' | 'appId'>,
): Promise<CodeHostApp[]> {
  const rows = await db
    .selectFrom('codeHostApps')
    .selectAll()
    .where('kind', '=', kind)
    .where('appId', '=', appId)
    .orderBy('id')
    .limit(100)
    .execute()
  return rows
}

/** Lists an organization's Apps; by id, ascending; the cursor is an id. */
export function listCodeHostApps(
  db: Db,
  request: ListRequest & { organizationId: string },
): Promise<Listing<CodeHostApp>> {
  const query = db.selectFrom('codeHostApps').selectAll().where('organizationId', '=', request.organizationId)
  return listById(query, request)
}

/** @returns Whether it existed. */
export function deleteCodeHostApp(db: Db, id: string): Promise<boolean> {
  return hasChanged(db.deleteFrom('codeHostApps').where('id', '=', id))
}
