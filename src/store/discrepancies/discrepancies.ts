import type { DiscrepancyKind, DiscrepancyState } from '../../contract/discrepancies.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, selectSiteIds } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** A place where a site's documentation became false. */
export type Discrepancy = Row<'discrepancies'>

/** What a check has found, before it is stored. */
export type FoundDiscrepancy = Pick<Discrepancy, 'key' | 'subject' | 'page' | 'isCertain' | 'details'>

/** Most discrepancies of a check that are stored; the rest would help nobody. */
const discrepanciesMax = 2_000

interface DiscrepancyScope {
  siteId: string
  kind: DiscrepancyKind
}

/**
 * Stores what a check found. New discrepancies are open and closed ones reopen; ignored ones are updated but stay ignored.
 *
 * @param saved.found At most `discrepanciesMax` are stored.
 */
export async function saveDiscrepancies(
  db: Db,
  { siteId, kind, found, nextId, now }: DiscrepancyScope & SavedDiscrepancies,
): Promise<void> {
  const rows = found.slice(0, discrepanciesMax).map((discrepancy) => ({
    ...discrepancy,
    siteId,
    kind,
    id: nextId(),
    state: 'open' as const,
    createdAt: now,
    updatedAt: now,
  }))
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await db
      .insertInto('discrepancies')
      .values(rows.slice(from, from + rowsPerStatement))
      .onConflict((conflict) =>
        conflict.columns(['siteId', 'kind', 'key']).doUpdateSet(({ ref, eb }) => ({
          details: ref('excluded.details'),
          isCertain: ref('excluded.isCertain'),
          updatedAt: ref('excluded.updatedAt'),
          state: eb
            .case()
            .when('discrepancies.state', '=', 'ignored')
            .then('ignored' as const)
            .else('open' as const)
            .end(),
        })),
      )
      .execute()
  }
}

export interface SavedDiscrepancies {
  found: readonly FoundDiscrepancy[]
  nextId: () => string
  now: number
}

const rowsPerStatement = 100

/** Closes open discrepancies that no longer hold. Ignored ones are kept, so that they stay ignored. */
export async function closeDiscrepancies(
  db: Db,
  { siteId, kind, keys, now }: DiscrepancyScope & { keys: readonly string[]; now: number },
): Promise<void> {
  if (keys.length === 0) return
  await db
    .updateTable('discrepancies')
    .set({ state: 'closed', updatedAt: now })
    .where((where) => where.and({ siteId, kind, state: 'open' }))
    .where('key', 'in', [...keys])
    .execute()
}

/** Makes the open discrepancies of a kind those that a check of the whole site found. */
export async function replaceDiscrepancies(db: Db, input: DiscrepancyScope & SavedDiscrepancies): Promise<void> {
  const kept = new Set(input.found.slice(0, discrepanciesMax).map(({ key }) => key))
  const open = await listAllDiscrepancies(db, { ...input, state: 'open' })
  await saveDiscrepancies(db, input)
  await closeDiscrepancies(db, { ...input, keys: open.map(({ key }) => key).filter((key) => !kept.has(key)) })
}

/** All of a kind and state, at most `discrepanciesMax`. */
export function listAllDiscrepancies(
  db: Db,
  { siteId, kind, state }: DiscrepancyScope & { state: DiscrepancyState },
): Promise<Discrepancy[]> {
  return db
    .selectFrom('discrepancies')
    .selectAll()
    .where((where) => where.and({ siteId, kind, state }))
    .orderBy('id')
    .limit(discrepanciesMax)
    .execute()
}

/** What answers need to know of a discrepancy. */
export type OpenDiscrepancy = Pick<Discrepancy, 'kind' | 'subject' | 'details'>

/** Read for every lookup of a site, so only the oldest of many. */
const answersDiscrepanciesMax = 200

/** Open discrepancies, oldest first; at most 200. */
export function listOpenDiscrepancies(db: Db, siteId: string): Promise<OpenDiscrepancy[]> {
  return db
    .selectFrom('discrepancies')
    .select(['kind', 'subject', 'details'])
    .where('siteId', '=', siteId)
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(answersDiscrepanciesMax)
    .execute()
}

/** A site, or all sites of an organization. */
export type DiscrepancyOwner = { siteId: string } | { organizationId: string }

/** Newest first. */
export function listDiscrepancies(
  db: Db,
  {
    of,
    kind,
    state,
    ...page
  }: ListRequest & { of: DiscrepancyOwner; kind?: DiscrepancyKind | undefined; state: DiscrepancyState },
): Promise<Listing<Discrepancy>> {
  let query = db.selectFrom('discrepancies').selectAll().where('state', '=', state)
  if ('siteId' in of) query = query.where('siteId', '=', of.siteId)
  else query = query.where('siteId', 'in', selectSiteIds(db, of.organizationId))
  if (kind !== undefined) query = query.where('kind', '=', kind)
  return listById(query, page, 'desc')
}

export function getDiscrepancy(db: Db, id: string): Promise<Discrepancy | null> {
  return firstRow(db.selectFrom('discrepancies').selectAll().where('id', '=', id))
}

/** @returns The discrepancy, or null if it does not exist. */
export function updateDiscrepancy(
  db: Db,
  id: string,
  change: Pick<Discrepancy, 'state' | 'updatedAt'>,
): Promise<Discrepancy | null> {
  return firstRow(db.updateTable('discrepancies').set(change).where('id', '=', id).returningAll())
}

/** @returns False if the discrepancy is not open or, for a rule, already has a job. */
export async function linkDiscrepancyJob(
  db: Db,
  { id, jobId, isRuled, now }: { id: string; jobId: string; isRuled: boolean; now: number },
): Promise<boolean> {
  let query = db.updateTable('discrepancies').set({ jobId, updatedAt: now }).where('id', '=', id)
  query = query.where('state', isRuled ? '=' : '<>', isRuled ? 'open' : 'closed')
  if (isRuled) query = query.set({ ruledAt: now }).where('jobId', 'is', null)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Drift that a literal replacement fixes and that never had a job, oldest first. */
export async function listFixableDiscrepancies(db: Db, siteId: string, limit: number): Promise<Discrepancy[]> {
  const certain = await db
    .selectFrom('discrepancies')
    .selectAll()
    .where((where) => where.and({ siteId, kind: 'drift', state: 'open', jobId: null }))
    .where('isCertain', '=', true)
    .orderBy('id')
    .limit(discrepanciesMax)
    .execute()
  return certain.filter(({ details }) => details.replacement !== null).slice(0, limit)
}

/** How many jobs rules have started since then. */
export async function countRuledDiscrepancies(db: Db, siteId: string, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('discrepancies')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .where('siteId', '=', siteId)
    .where('ruledAt', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
