import { isDeepStrictEqual } from 'node:util'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { columnsOf } from '../tables/define-table.ts'
import { keyTables } from '../tables/keys.ts'

/** A key without its secret's hash. */
export type ApiKey = Omit<Row<'keys'>, 'hash'>

const keyColumns = columnsOf(keyTables.keys, 'hash')

const optionColumns = columnsOf(
  keyTables.keys,
  'id',
  'kind',
  'organizationId',
  'siteId',
  'hash',
  'hint',
  'revokedAt',
  'lastUsedAt',
  'createdAt',
)

/** The changeable fields of a key. */
export type KeyOptions = Pick<ApiKey, (typeof optionColumns)[number]>

/** @returns False if there is a key with this secret, or one of these pages, already; then nothing was written. */
export async function insertKey(db: Db, key: Row<'keys'>): Promise<boolean> {
  const insert = db.insertInto('keys').values(key)
  const { numInsertedOrUpdatedRows } = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Writes only the options that differ, so that concurrent changes of different options both persist.
 *
 * @returns Whether the key still exists unrevoked; otherwise nothing was written.
 */
export async function updateKey(db: Db, before: ApiKey, after: KeyOptions): Promise<boolean> {
  const changed = optionColumns.filter((column) => !isDeepStrictEqual(after[column], before[column]))
  if (changed.length === 0) return before.revokedAt === null
  return hasChanged(
    db
      .updateTable('keys')
      .set(Object.fromEntries(changed.map((column) => [column, after[column]])))
      .where('id', '=', before.id)
      .where('revokedAt', 'is', null),
  )
}

/** Also finds revoked and expired keys, so that the caller can tell them from unknown ones. */
export async function findKeyByHash(db: Db, hash: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst()
  return row === undefined ? null : withoutHash(row)
}

/** On the path of every request: naming the columns in the query, or a rest spread, is several times slower. */
function withoutHash(row: Row<'keys'>): ApiKey {
  const key: Partial<Record<keyof ApiKey, unknown>> = {}
  for (const column of keyColumns) key[column] = row[column]
  return key as ApiKey // Every column was set.
}

export async function getKey(db: Db, id: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('keys').select(keyColumns).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/**
 * Public keys of a site with their hashes, revoked ones too: those of its served pages, then those for websites, the
 * newest first, at most 100.
 */
export function listPublicKeys(db: Db, siteId: string): Promise<Row<'keys'>[]> {
  const query = db
    .selectFrom('keys')
    .selectAll()
    .where('siteId', '=', siteId)
    .where('purpose', 'in', ['pages', 'website'])
  return query.orderBy('purpose').orderBy('id', 'desc').limit(100).execute()
}

export async function updateKeyHash(db: Db, id: string, secret: Pick<Row<'keys'>, 'hash' | 'hint'>): Promise<void> {
  await db.updateTable('keys').set(secret).where('id', '=', id).execute()
}

/** Newest first, including revoked keys; the cursor is an id (a ULID). */
export function listKeys(
  db: Db,
  request: ListRequest & {
    organizationId?: string | undefined
    siteId?: string | undefined
    kind?: ApiKey['kind'] | undefined
  },
): Promise<Listing<ApiKey>> {
  const { organizationId, siteId, kind } = request
  let query = db.selectFrom('keys').select(keyColumns)
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  return listById(query, request, 'desc')
}

/** Keeps the time of the first revocation. @returns The key, or null if there is none. */
export async function revokeKey(db: Db, id: string, at: number): Promise<ApiKey | null> {
  await db.updateTable('keys').set({ revokedAt: at }).where('id', '=', id).where('revokedAt', 'is', null).execute()
  return getKey(db, id)
}

/**
 * Takes back a revocation at or after a time. Keys of served pages stay revoked: their site has made another by then.
 *
 * @returns Whether the key was revoked then, and works again.
 */
export function restoreKey(db: Db, id: string, revokedSince: number): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('keys')
      .set({ revokedAt: null })
      .where('id', '=', id)
      .where('revokedAt', '>=', revokedSince)
      .where((where) => where.or([where('purpose', 'is', null), where('purpose', '!=', 'pages')])),
  )
}

/** Never moves the time back, so replicas may write in any order. */
export async function touchKey(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('keys')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', at)]))
    .execute()
}
