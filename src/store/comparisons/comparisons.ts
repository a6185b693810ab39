import type { PullRequestRecord } from '../hosting/pull-requests.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim, unclaimed, updateClaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'
import type { StoredComparison } from '../tables/comparisons.ts'

export type { StoredComparison } from '../tables/comparisons.ts'

/** The comparison of a pull request with its base, and its place in the queue. */
export type ComparisonRow = Row<'comparisons'>

/** Queues a pull request to be compared. Work on an earlier commit of it is abandoned. */
export async function queueComparison(
  db: Db,
  { now, ...row }: Pick<ComparisonRow, 'id' | 'siteId' | 'pullRequestId' | 'headCommit'> & { now: number },
): Promise<void> {
  const { headCommit } = row
  await db
    .insertInto('comparisons')
    .values({ ...row, ...unclaimed(now), queuedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['siteId', 'pullRequestId']).doUpdateSet((set) => ({
        headCommit,
        runAt: now,
        isClaimed: false,
        // The worker that holds it loses its claim.
        attempt: set('comparisons.attempt', '+', 1),
        queuedAt: now,
      })),
    )
    .execute()
}

/** Open pull requests of the built-in host whose newest commit was never queued. */
export function listUncompared(db: Db, limit: number): Promise<PullRequestRecord[]> {
  return db
    .selectFrom('pullRequests')
    .selectAll()
    .where('state', '=', 'open')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('comparisons')
            .select('comparisons.id')
            .whereRef('comparisons.pullRequestId', '=', 'pullRequests.id')
            .whereRef('comparisons.headCommit', '=', 'pullRequests.headCommit'),
        ),
      ),
    )
    .orderBy('updatedAt', 'desc')
    .limit(limit)
    .execute()
}

export function claimComparison(db: Db, times: ClaimTimes): Promise<ComparisonRow | null> {
  return claimNext(db, 'comparisons', times)
}

/** Keeps a result before it is published, so that a killed worker need not compare again. */
export async function storeComparison(db: Db, claim: Claim, result: StoredComparison): Promise<boolean> {
  return (await updateClaimed(db, 'comparisons', claim, { result, failure: null })) !== null
}

/** @param failure A sentence; null if it succeeded. */
export async function finishComparison(db: Db, claim: Claim, failure: string | null): Promise<boolean> {
  return (await finishClaim(db, 'comparisons', claim, { failure })) !== null
}

/** Those of a pull request, by site. */
export function listComparisons(db: Db, pullRequestId: string): Promise<ComparisonRow[]> {
  return db.selectFrom('comparisons').selectAll().where('pullRequestId', '=', pullRequestId).orderBy('siteId').execute()
}
