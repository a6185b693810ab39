import { PostgresAdapter } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import { firstRow } from '../queries.ts'
import type { Claim } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

/** A finished index of a site. Of those that do not wait for their owner, the one with the highest number is served. */
export type IndexGeneration = Row<'indexGenerations'>

type Check = Pick<IndexGeneration, 'selfCheck' | 'isWaiting' | 'icon'>
export type NewIndexGeneration = Omit<IndexGeneration, 'number' | keyof Check> & Partial<Check>

/**
 * Publishes a new index, provided that the claim on the run is still current.
 *
 * The check and the write are one transaction, so that a worker that lost its lease cannot put an older index in front
 * of a newer one.
 *
 * @returns The generation with its number; null if the claim is lost, in which case nothing was written.
 */
export function publishIndexGeneration(
  db: Db,
  claim: Claim,
  generation: NewIndexGeneration,
): Promise<IndexGeneration | null> {
  return inTransaction(db, async (transaction) => {
    if (!(await isClaimHeld(transaction, claim, generation.siteId))) return null
    const { last } = await transaction
      .selectFrom('indexGenerations')
      .select((select) => select.fn.max('number').as('last'))
      .where('siteId', '=', generation.siteId)
      .executeTakeFirstOrThrow()
    const row = { selfCheck: null, isWaiting: false, icon: null, ...generation, number: (last ?? 0) + 1 }
    await transaction.insertInto('indexGenerations').values(row).execute()
    return row
  })
}

/** Locks the run until the transaction ends, so that nobody can take over the claim in between. */
async function isClaimHeld(db: Db, claim: Claim, siteId: string): Promise<boolean> {
  const query = db
    .selectFrom('indexRuns')
    .select('id')
    .where((where) => where.and({ id: claim.id, siteId, attempt: claim.attempt, state: 'running' }))
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  return (await (isPostgres ? query.forUpdate() : query).executeTakeFirst()) !== undefined
}

/** The newest generation, served or not, or null before the first. */
export async function getCurrentIndexGeneration(db: Db, siteId: string): Promise<IndexGeneration | null> {
  const [current] = await listIndexGenerations(db, siteId, 1)
  return current ?? null
}

/** The generation that readers get, or null if there is none. */
export async function getServedIndexGeneration(db: Db, siteId: string): Promise<IndexGeneration | null> {
  const served = await db
    .selectFrom('indexGenerations')
    .selectAll()
    .where('siteId', '=', siteId)
    .where('isWaiting', '=', false)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return served ?? null
}

/** Null if the site no longer has that generation. */
export function getIndexGeneration(db: Db, siteId: string, id: string): Promise<IndexGeneration | null> {
  const query = db.selectFrom('indexGenerations').selectAll().where('siteId', '=', siteId).where('id', '=', id)
  return firstRow(query)
}

/** Newest first. */
export function listIndexGenerations(db: Db, siteId: string, limit: number): Promise<IndexGeneration[]> {
  return db
    .selectFrom('indexGenerations')
    .selectAll()
    .where('siteId', '=', siteId)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

/**
 * @param keep Number of newest generations to keep, at least 1.
 * @returns The files of the removed generations, which are no longer referenced.
 * @throws {RangeError} when `keep` is below 1, which would remove the served index.
 */
export async function removeOldIndexGenerations(db: Db, siteId: string, keep: number): Promise<string[]> {
  if (keep < 1) throw new RangeError('At least one generation of the index must be kept: pass 1 or more.')
  const removed = await db
    .deleteFrom('indexGenerations')
    .where('siteId', '=', siteId)
    .where('number', 'not in', (select) =>
      select
        .selectFrom('indexGenerations as newest')
        .select('newest.number')
        .where('newest.siteId', '=', siteId)
        .orderBy('newest.number', 'desc')
        .limit(keep),
    )
    .returning('file')
    .execute()
  return removed.map(({ file }) => file)
}

/** Every referenced index file; any other file in the blob folder is an orphan. */
export async function listIndexFiles(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('indexGenerations').select('file').execute()
  return rows.map(({ file }) => file)
}
