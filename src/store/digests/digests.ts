import { sql } from 'kysely'
import type { WeeklyDigest } from '../../contract/weekly-digest.ts'
import { weekMs } from '../../base/durations.ts'
import { inTransaction } from '../in-transaction.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim, unclaimed, updateClaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

/** The digest of a site's week, and its place in the queue. */
export type DigestRow = Row<'digests'>

/** Half a year. */
const keptWeeks = 26

/** Sites that may want a digest and have none of the week: the settings say whether they do. */
export function listUndigestedSites(
  db: Db,
  { weekStart, limit }: { weekStart: number; limit: number },
): Promise<Pick<Row<'sites'>, 'id' | 'settings'>[]> {
  return (
    db
      .selectFrom('sites')
      .select(['id', 'settings'])
      // Looked for every few seconds, so that the settings of most sites are not read.
      .where(sql<boolean>`settings like '%"digest":{%'`)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('digests')
              .select('digests.id')
              .whereRef('digests.siteId', '=', 'sites.id')
              .where('digests.weekStart', '=', weekStart),
          ),
        ),
      )
      .limit(limit)
      .execute()
  )
}

/** Queues the digest of a week, unless it was queued before. */
export async function queueDigest(
  db: Db,
  { now, ...row }: Pick<DigestRow, 'id' | 'siteId' | 'weekStart'> & { now: number },
): Promise<void> {
  await db
    .insertInto('digests')
    .values({ ...row, ...unclaimed(now), createdAt: now })
    .onConflict((conflict) => conflict.columns(['siteId', 'weekStart']).doNothing())
    .execute()
}

export function claimDigest(db: Db, times: ClaimTimes): Promise<DigestRow | null> {
  return claimNext(db, 'digests', times)
}

/**
 * Stores a digest and announces it in the same transaction, so that nobody is notified twice.
 *
 * @returns False if the claim was lost; then nothing was written.
 */
export function storeDigest(
  db: Db,
  claim: Claim,
  { digest, tell }: { digest: WeeklyDigest; tell(transaction: Db): Promise<void> },
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if ((await updateClaimed(transaction, 'digests', claim, { digest })) === null) return false
    await tell(transaction)
    return true
  })
}

/** @param failure A sentence; null if it was sent. @returns False if the claim was lost. */
export async function finishDigest(db: Db, claim: Claim, failure: string | null): Promise<boolean> {
  const row = await finishClaim(db, 'digests', claim, { failure })
  if (row === null) return false
  const { siteId, weekStart } = row
  const before = weekStart - keptWeeks * weekMs
  await db.deleteFrom('digests').where('siteId', '=', siteId).where('weekStart', '<', before).execute()
  return true
}
