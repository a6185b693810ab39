import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'
import type { KeyScope } from './tables/keys.ts'

export type { KeyScope } from './tables/keys.ts'

/** A key as everyone but the check of its secret sees it: without the hash. */
export interface ApiKey {
  id: string
  kind: 'admin' | 'assistant'
  organizationId: string
  /** Set on assistant keys, null on admin keys. */
  siteId: string | null
  name: string
  /** The last four characters of the secret. */
  hint: string
  scopes: KeyScope[]
  ipRanges: string[]
  origins: string[]
  groups: string[]
  /** Null on admin keys. */
  purpose: 'website' | 'server' | null
  /** Whether requests with it need a session. */
  session: 'off' | 'pressure' | 'always'
  /** Requests of one network in a minute; more is pressure. */
  normalPerMinute: number
  /** Most requests of one network in a minute and in a day (UTC); 0: no limit. */
  networkPerMinute: number
  networkPerDay: number
  /** Most of the key's answers of a month that one network may have in a day, in percent; 0: no limit. */
  networkSharePercent: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
  createdAt: number
}

/** What can be changed of a key. */
export type KeyOptions = Omit<
  ApiKey,
  'id' | 'kind' | 'organizationId' | 'siteId' | 'hint' | 'revokedAt' | 'lastUsedAt' | 'createdAt'
>

export async function insertKey(db: Kysely<Database>, key: ApiKey & { hash: string }): Promise<void> {
  await db
    .insertInto('keys')
    .values({
      id: key.id,
      kind: key.kind,
      organizationId: key.organizationId,
      siteId: key.siteId,
      hash: key.hash,
      hint: key.hint,
      ...toColumns(key),
      revokedAt: key.revokedAt,
      lastUsedAt: key.lastUsedAt,
      createdAt: key.createdAt,
    })
    .execute()
}

/**
 * Writes the options that differ, and no others, so that two changes at the same time both last.
 *
 * @returns Whether they were written: a key that is revoked or gone stays as it is.
 */
export async function updateKey(db: Kysely<Database>, before: ApiKey, after: KeyOptions): Promise<boolean> {
  const old: Record<string, unknown> = toColumns(before)
  const changed = Object.entries(toColumns(after)).filter(([column, value]) => !isDeepStrictEqual(value, old[column]))
  if (changed.length === 0) return before.revokedAt === null
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set(Object.fromEntries(changed))
    .where('id', '=', before.id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function toColumns(options: KeyOptions) {
  return {
    name: options.name,
    scopes: options.scopes,
    ipRanges: options.ipRanges,
    origins: options.origins,
    groups: options.groups,
    purpose: options.purpose,
    session: options.session,
    normalPerMinute: options.normalPerMinute,
    networkPerMinute: options.networkPerMinute,
    networkPerDay: options.networkPerDay,
    networkSharePercent: options.networkSharePercent,
    expiresAt: options.expiresAt,
  }
}

/** Revoked and expired keys are found too: the caller tells them apart from unknown ones. */
export async function findKeyByHash(db: Kysely<Database>, hash: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst()
  return row === undefined ? null : toKey(row)
}

export async function getKey(db: Kysely<Database>, id: string): Promise<ApiKey | null> {
  const row = await db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toKey(row)
}

/** Newest first: ids are ULIDs; the cursor is an id. Revoked keys are in the list. */
export async function listKeys(
  db: Kysely<Database>,
  request: ListRequest & {
    organizationId?: string | undefined
    siteId?: string | undefined
    kind?: ApiKey['kind'] | undefined
  },
): Promise<Listing<ApiKey>> {
  const { limit, cursor, organizationId, siteId, kind } = request
  let query = db.selectFrom('keys').selectAll()
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toKey, (row) => row.id)
}

/** The first revocation stays. @returns The key, or null when there is none. */
export async function revokeKey(db: Kysely<Database>, id: string, at: number): Promise<ApiKey | null> {
  await db.updateTable('keys').set({ revokedAt: at }).where('id', '=', id).where('revokedAt', 'is', null).execute()
  return getKey(db, id)
}

/** Never moves the time back, so that replicas need not agree on whose note comes last. */
export async function touchKey(db: Kysely<Database>, id: string, at: number): Promise<void> {
  await db
    .updateTable('keys')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', at)]))
    .execute()
}

function toKey(row: Row<'keys'>): ApiKey {
  return {
    id: row.id,
    kind: row.kind,
    organizationId: row.organizationId,
    siteId: row.siteId,
    name: row.name,
    hint: row.hint,
    scopes: row.scopes,
    ipRanges: row.ipRanges,
    origins: row.origins,
    groups: row.groups,
    purpose: row.purpose,
    session: row.session,
    normalPerMinute: row.normalPerMinute,
    networkPerMinute: row.networkPerMinute,
    networkPerDay: row.networkPerDay,
    networkSharePercent: row.networkSharePercent,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    lastUsedAt: row.lastUsedAt,
    createdAt: row.createdAt,
  }
}
