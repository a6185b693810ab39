import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'

/** An organization's App on a code host, which issues tokens for the repositories it is installed on. */
export type CodeHostApp = Row<'codeHostApps'>

/** @returns False if the organization already has an App on the host. */
export async function insertCodeHostApp(db: Kysely<Database>, app: CodeHostApp): Promise<boolean> {
  const row = await db
    .insertInto('codeHostApps')
    .values(app)
    .onConflict((conflict) => conflict.columns(['organizationId', 'kind', 'origin']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function getCodeHostApp(db: Kysely<Database>, id: string): Promise<CodeHostApp | null> {
  const row = await db.selectFrom('codeHostApps').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** An organization's App on one host; null if there is none. */
export async function findCodeHostApp(
  db: Kysely<Database>,
  { organizationId, kind, origin }: Pick<CodeHostApp, 'organizationId' | 'kind' | 'origin'>,
): Promise<CodeHostApp | null> {
  const row = await db
    .selectFrom('codeHostApps')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .where('origin', '=', origin)
    .executeTakeFirst()
  return row ?? null
}

/** All Apps with that `appId`, which hosts assign, so that several hosts may use the same one. At most 100, by id. */
export async function listCodeHostAppsByNumber(
  db: Kysely<Database>,
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
  db: Kysely<Database>,
  request: ListRequest & { organizationId: string },
): Promise<Listing<CodeHostApp>> {
  const query = db.selectFrom('codeHostApps').selectAll().where('organizationId', '=', request.organizationId)
  return listById(query, request)
}

/** @returns Whether it existed. */
export async function deleteCodeHostApp(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('codeHostApps').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
