import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** An App that an organization has registered on a code host, which makes tokens for the repositories it is installed on. */
export interface CodeHostApp {
  id: string
  organizationId: string
  kind: 'github'
  /** `https://github.com`. An organization has one App per host. */
  origin: string
  /** The number that the host gave it. */
  appId: string
  /** Its name in addresses of the host. */
  slug: string
  /** Sealed by `sealSecret`. */
  privateKeySealed: string
  /** Sealed by `sealSecret`; null where it takes no webhooks. */
  webhookSecretSealed: string | null
  /** Whether commits are made by the host's interface, so that it signs them. */
  hasVerifiedCommits: boolean
  createdAt: number
}

/** @returns Whether it was inserted: false when the organization has an App on the host already. */
export async function insertCodeHostApp(db: Kysely<Database>, app: CodeHostApp): Promise<boolean> {
  const row = await db
    .insertInto('codeHostApps')
    .values({
      id: app.id,
      organizationId: app.organizationId,
      kind: app.kind,
      origin: app.origin,
      appId: app.appId,
      slug: app.slug,
      privateKeySealed: app.privateKeySealed,
      webhookSecretSealed: app.webhookSecretSealed,
      hasVerifiedCommits: app.hasVerifiedCommits,
      createdAt: app.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'kind', 'origin']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function getCodeHostApp(db: Kysely<Database>, id: string): Promise<CodeHostApp | null> {
  const row = await db.selectFrom('codeHostApps').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toCodeHostApp(row)
}

/** The App of an organization on one host; null where it has none. */
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
  return row === undefined ? null : toCodeHostApp(row)
}

/** Every App with a number that a host gave: numbers of two hosts may be alike. At most 100, by id. */
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
  return rows.map(toCodeHostApp)
}

/** Of one organization; by id, ascending; the cursor is an id. */
export async function listCodeHostApps(
  db: Kysely<Database>,
  { limit, cursor, organizationId }: ListRequest & { organizationId: string },
): Promise<Listing<CodeHostApp>> {
  let query = db.selectFrom('codeHostApps').selectAll().where('organizationId', '=', organizationId)
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toCodeHostApp, (row) => row.id)
}

/** @returns Whether there was one. */
export async function deleteCodeHostApp(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('codeHostApps').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

function toCodeHostApp(row: Row<'codeHostApps'>): CodeHostApp {
  return {
    id: row.id,
    organizationId: row.organizationId,
    kind: row.kind,
    origin: row.origin,
    appId: row.appId,
    slug: row.slug,
    privateKeySealed: row.privateKeySealed,
    webhookSecretSealed: row.webhookSecretSealed,
    hasVerifiedCommits: row.hasVerifiedCommits,
    createdAt: row.createdAt,
  }
}
