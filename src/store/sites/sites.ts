import { inTransaction } from '../in-transaction.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { columnsOf } from '../tables/define-table.ts'
import { siteTables } from '../tables/sites.ts'
export type { SelfCheck, SiteSource } from '../tables/sites.ts'

export type Site = Omit<Row<'sites'>, 'sourceCheckAt' | 'isCrawled' | 'confirmedOrigin'>

const siteColumns = columnsOf(siteTables.sites, 'sourceCheckAt', 'isCrawled', 'confirmedOrigin')

/** Fields that may change after creation. */
export type SiteChange = Partial<Omit<Site, 'id' | 'projectId' | 'createdAt'>>

/** `taken` names the field whose value belongs to another site; nothing was written then. */
export type SiteWriteResult = { written: true } | { written: false; taken: 'slug' | 'hostname'; value: string }

export function insertSite(db: Db, site: Site): Promise<SiteWriteResult> {
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

export function getSite(db: Db, id: string): Promise<Site | null> {
  return firstRow(db.selectFrom('sites').select(siteColumns).where('id', '=', id))
}

/** Finds a site by slug or host name, case-insensitively; slugs take precedence. */
export async function getSiteByDomain(db: Db, domain: string): Promise<Site | null> {
  const name = domain.toLowerCase()
  const rows = await db
    .selectFrom('sites')
    .select(siteColumns)
    .where((where) =>
      where.or([
        where('slug', '=', name),
        where('id', 'in', where.selectFrom('siteHostnames').select('siteId').where('hostname', '=', name)),
      ]),
    )
    .execute()
  const row = rows.find(({ slug }) => slug === name) ?? rows[0]
  return row ?? null
}

/** Lists the sites of a project or organization, or all; by id, ascending; the cursor is an id. */
export function listSites(
  db: Db,
  request: ListRequest & { projectId?: string | undefined; organizationId?: string | undefined },
): Promise<Listing<Site>> {
  const { projectId, organizationId } = request
  let query = db.selectFrom('sites').select(siteColumns)
  if (projectId !== undefined) query = query.where('projectId', '=', projectId)
  if (organizationId !== undefined) {
    query = query.where('projectId', 'in', (select) =>
      select.selectFrom('projects').select('projects.id').where('projects.organizationId', '=', organizationId),
    )
  }
  return listById(query, request)
}

/** Changes the given fields. Returns `{ written: true }` for an unknown site too: see `getSite`. */
export function updateSite(db: Db, id: string, change: SiteChange): Promise<SiteWriteResult> {
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

/** Cascades to its keys, runs, generations and threads. @returns Whether it existed. */
export function deleteSite(db: Db, id: string): Promise<boolean> {
  return hasChanged(db.deleteFrom('sites').where('id', '=', id))
}

/**
 * @returns A name taken by another site, or null. If one is taken, the rows inserted by this call are removed again.
 */
async function claimHostnames(db: Db, siteId: string, names: readonly string[]): Promise<string | null> {
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

async function moveHostnames(db: Db, before: Site, after: Site): Promise<string | null> {
  const kept = new Set(after.hostnames.map((name) => name.toLowerCase()))
  const had = new Set(before.hostnames)
  const added = [...kept].filter((hostname) => !had.has(hostname))
  const taken = await claimHostnames(db, before.id, added)
  if (taken !== null) return taken
  const dropped = before.hostnames.filter((hostname) => !kept.has(hostname))
  if (dropped.length > 0) await db.deleteFrom('siteHostnames').where('hostname', 'in', dropped).execute()
  return null
}

/** Adds the derived columns and normalizes host names. */
function toRow(site: Site) {
  const hostnames = [...new Set(site.hostnames.map((name) => name.toLowerCase()))]
  return { ...site, hostnames, isCrawled: site.source.kind === 'crawl' }
}
