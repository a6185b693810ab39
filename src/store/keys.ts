import type { Kysely } from 'kysely'
import { parseItems, parseStrings } from './json-column.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

export type KeyScope = 'read' | 'write'

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
      organization_id: key.organizationId,
      site_id: key.siteId,
      hash: key.hash,
      hint: key.hint,
      ...toColumns(key),
      revoked_at: key.revokedAt,
      last_used_at: key.lastUsedAt,
      created_at: key.createdAt,
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
  const changed = Object.entries(toColumns(after)).filter(([column, value]) => value !== old[column])
  if (changed.length === 0) return before.revokedAt === null
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set(Object.fromEntries(changed))
    .where('id', '=', before.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function toColumns(options: KeyOptions) {
  return {
    name: options.name,
    scopes: JSON.stringify(options.scopes),
    ip_ranges: JSON.stringify(options.ipRanges),
    origins: JSON.stringify(options.origins),
    groups: JSON.stringify(options.groups),
    purpose: options.purpose,
    session: options.session,
    normal_per_minute: options.normalPerMinute,
    network_per_minute: options.networkPerMinute,
    network_per_day: options.networkPerDay,
    network_share_percent: options.networkSharePercent,
    expires_at: options.expiresAt,
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
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId)
  if (siteId !== undefined) query = query.where('site_id', '=', siteId)
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
  await db.updateTable('keys').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null).execute()
  return getKey(db, id)
}

/** Never moves the time back, so that replicas need not agree on whose note comes last. */
export async function touchKey(db: Kysely<Database>, id: string, at: number): Promise<void> {
  await db
    .updateTable('keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at)]))
    .execute()
}

function toKey(row: Row<'keys'>): ApiKey {
  return {
    id: row.id,
    kind: row.kind,
    organizationId: row.organization_id,
    siteId: row.site_id,
    name: row.name,
    hint: row.hint,
    scopes: parseItems<KeyScope>('keys.scopes', row.scopes),
    ipRanges: parseStrings('keys.ip_ranges', row.ip_ranges),
    origins: parseStrings('keys.origins', row.origins),
    groups: parseStrings('keys.groups', row.groups),
    purpose: row.purpose,
    session: row.session,
    normalPerMinute: row.normal_per_minute,
    networkPerMinute: row.network_per_minute,
    networkPerDay: row.network_per_day,
    networkSharePercent: row.network_share_percent,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}
