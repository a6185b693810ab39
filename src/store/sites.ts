import type { Kysely } from 'kysely'
import type { JsonValue } from '../contract/json.ts'
import { inTransaction } from './in-transaction.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'
import type { SiteSource } from './tables/sites.ts'

export type { SiteSource } from './tables/sites.ts'

export interface Site {
  id: string
  projectId: string
  slug: string
  name: string
  /** Lower case, no two sites share one. */
  hostnames: string[]
  /** Where readers find the site; null: the pages that the service itself serves. */
  baseUrl: string | null
  source: SiteSource
  settings: { [key: string]: JsonValue }
  /** Sealed by `sealSecret`; signs the identities of readers. */
  identitySecretSealed: string | null
  /** Sealed by `sealSecret`; opens the repository. */
  sourceCredentialSealed: string | null
  createdAt: number
}

/** What may change after a site was made. */
export type SiteChange = Partial<Omit<Site, 'id' | 'projectId' | 'createdAt'>>

/** `taken` names what another site has already; nothing was written then. */
export type SiteWriteResult = { written: true } | { written: false; taken: 'slug' | 'hostname'; value: string }

export function insertSite(db: Kysely<Database>, site: Site): Promise<SiteWriteResult> {
  return inTransaction(db, async (transaction) => {
    const inserted = await transaction
      .insertInto('sites')
      .values(toRow(site))
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted === undefined) return { written: false, taken: 'slug', value: site.slug }
    const taken = await claimHostnames(transaction, site.id, site.hostnames)
    if (taken === null) return { written: true }
    await transaction.deleteFrom('sites').where('id', '=', site.id).execute()
    return { written: false, taken: 'hostname', value: taken }
  })
}

export async function getSite(db: Kysely<Database>, id: string): Promise<Site | null> {
  const row = await db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toSite(row)
}

/** Finds a site by its slug or by one of its host names, in any case; a slug goes first. */
export async function getSiteByDomain(db: Kysely<Database>, domain: string): Promise<Site | null> {
  const name = domain.toLowerCase()
  const rows = await db
    .selectFrom('sites')
    .selectAll()
    .where((where) =>
      where.or([
        where('slug', '=', name),
        where('id', 'in', where.selectFrom('siteHostnames').select('siteId').where('hostname', '=', name)),
      ]),
    )
    .execute()
  const row = rows.find(({ slug }) => slug === name) ?? rows[0]
  return row === undefined ? null : toSite(row)
}

/** Of one project or organization, or of all where none is named; by id, ascending; the cursor is an id. */
export async function listSites(
  db: Kysely<Database>,
  request: ListRequest & { projectId?: string | undefined; organizationId?: string | undefined },
): Promise<Listing<Site>> {
  const { limit, cursor, projectId, organizationId } = request
  let query = db.selectFrom('sites').selectAll()
  if (projectId !== undefined) query = query.where('projectId', '=', projectId)
  if (organizationId !== undefined) {
    query = query.where('projectId', 'in', (select) =>
      select.selectFrom('projects').select('projects.id').where('projects.organizationId', '=', organizationId),
    )
  }
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toSite, (row) => row.id)
}

/** Changes the fields that are given. `{ written: true }` also when there is no such site: see `getSite`. */
export function updateSite(db: Kysely<Database>, id: string, change: SiteChange): Promise<SiteWriteResult> {
  return inTransaction(db, async (transaction) => {
    const before = await getSite(transaction, id)
    if (before === null) return { written: true }
    const after = { ...before, ...change }
    if (after.slug !== before.slug) {
      const other = await transaction.selectFrom('sites').select('id').where('slug', '=', after.slug).executeTakeFirst()
      if (other !== undefined) return { written: false, taken: 'slug', value: after.slug }
    }
    const taken = await moveHostnames(transaction, before, after)
    if (taken !== null) return { written: false, taken: 'hostname', value: taken }
    await transaction.updateTable('sites').set(toRow(after)).where('id', '=', id).execute()
    return { written: true }
  })
}

/** Deletes everything of the site: keys, runs, generations, threads. @returns Whether there was one. */
export async function deleteSite(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('sites').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** @returns A name that another site has, or null. Rows of this call are taken back in that case. */
async function claimHostnames(db: Kysely<Database>, siteId: string, names: readonly string[]): Promise<string | null> {
  const wanted = [...new Set(names.map((name) => name.toLowerCase()))].sort()
  if (wanted.length === 0) return null
  const claimed = await db
    .insertInto('siteHostnames')
    .values(wanted.map((hostname) => ({ hostname, siteId })))
    .onConflict((conflict) => conflict.column('hostname').doNothing())
    .returning('hostname')
    .execute()
  const mine = new Set(claimed.map(({ hostname }) => hostname))
  const taken = wanted.find((hostname) => !mine.has(hostname))
  if (taken === undefined) return null
  if (mine.size > 0)
    await db
      .deleteFrom('siteHostnames')
      .where('hostname', 'in', [...mine])
      .execute()
  return taken
}

async function moveHostnames(db: Kysely<Database>, before: Site, after: Site): Promise<string | null> {
  const kept = new Set(after.hostnames.map((name) => name.toLowerCase()))
  const had = new Set(before.hostnames)
  const added = [...kept].filter((hostname) => !had.has(hostname))
  const taken = await claimHostnames(db, before.id, added)
  if (taken !== null) return taken
  const dropped = before.hostnames.filter((hostname) => !kept.has(hostname))
  if (dropped.length > 0) await db.deleteFrom('siteHostnames').where('hostname', 'in', dropped).execute()
  return null
}

function toRow(site: Site): Omit<Row<'sites'>, 'sourceCheckAt'> {
  return {
    id: site.id,
    projectId: site.projectId,
    slug: site.slug,
    name: site.name,
    hostnames: [...new Set(site.hostnames.map((name) => name.toLowerCase()))],
    baseUrl: site.baseUrl,
    source: site.source,
    isCrawled: site.source.kind === 'crawl',
    settings: site.settings,
    identitySecretSealed: site.identitySecretSealed,
    sourceCredentialSealed: site.sourceCredentialSealed,
    createdAt: site.createdAt,
  }
}

function toSite(row: Row<'sites'>): Site {
  return {
    id: row.id,
    projectId: row.projectId,
    slug: row.slug,
    name: row.name,
    hostnames: row.hostnames,
    baseUrl: row.baseUrl,
    source: row.source,
    settings: row.settings,
    identitySecretSealed: row.identitySecretSealed,
    sourceCredentialSealed: row.sourceCredentialSealed,
    createdAt: row.createdAt,
  }
}
