import type { PullRequestRecord } from '../hosting/pull-requests.ts'
import { isDue, leaseMsMax } from '../is-due.ts'
import { firstRow } from '../queries.ts'
import { claimNext, type ClaimTimes, unclaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

export type { DriftOrigin } from '../tables/drift.ts'

/** A comparison of products with the documentation, and its place in the queue. */
export type DriftCheck = Row<'driftChecks'>

/** Sites and context repositories whose branches moved. */
interface MovedPlaces {
  siteIds: readonly string[]
  contextIds: readonly string[]
}

const ofSite = { contextId: '', pullRequestId: '', headCommit: null }

/** Makes the checks of sites due now. Those in progress are repeated. Sites without a row are found by `queueDueDriftChecks`. */
export async function queueDriftChecks(db: Db, { siteIds, contextIds }: MovedPlaces, now: number): Promise<void> {
  const contexts = contextIds.length === 0 ? [] : await listSitesOfContexts(db, contextIds)
  const ids = [...siteIds, ...contexts.map(({ siteId }) => siteId)]
  if (ids.length === 0) return
  await db
    .updateTable('driftChecks')
    .set((set) => ({ runAt: now, isClaimed: false, attempt: set('attempt', '+', 1), queuedAt: now }))
    .where('pullRequestId', '=', '')
    .where('siteId', 'in', ids)
    .execute()
}

function listSitesOfContexts(db: Db, contextIds: readonly string[]): Promise<{ siteId: string }[]> {
  return db
    .selectFrom('contextRepositories')
    .select('siteId')
    .where('id', 'in', [...contextIds])
    .execute()
}

/** Queues a pull request of a product. Work on an earlier commit of it is abandoned. */
export async function queuePullRequestDrift(
  db: Db,
  { now, ...row }: Pick<DriftCheck, 'id' | 'siteId' | 'contextId' | 'pullRequestId' | 'headCommit'> & { now: number },
): Promise<void> {
  const { headCommit } = row
  await db
    .insertInto('driftChecks')
    .values({ ...row, ...unchecked(now) })
    .onConflict((conflict) =>
      conflict.columns(['siteId', 'contextId', 'pullRequestId']).doUpdateSet((set) => ({
        headCommit,
        runAt: now,
        isClaimed: false,
        // The worker that holds it loses its claim.
        attempt: set('driftChecks.attempt', '+', 1),
        queuedAt: now,
      })),
    )
    .execute()
}

/**
 * Queues the sites whose check is missing: never made, made before `staleBefore`, or of an index that was replaced.
 * Found by what is missing, so that none is forgotten, regardless of how a branch moved or what was killed.
 */
export async function queueDueDriftChecks(
  db: Db,
  { now, staleBefore, nextId }: { now: number; staleBefore: number; nextId: () => string },
): Promise<void> {
  const unknown = await db
    .selectFrom('contextRepositories')
    .select('siteId')
    .distinct()
    .where('role', '=', 'product')
    .where('siteId', 'not in', (select) =>
      select.selectFrom('driftChecks').select('siteId').where('contextId', '=', ''),
    )
    .execute()
  for (const { siteId } of unknown) {
    await db
      .insertInto('driftChecks')
      .values({ id: nextId(), siteId, ...ofSite, ...unchecked(now) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const due = await db
    .selectFrom('driftChecks')
    .select('id')
    .where('runAt', 'is', null)
    .where('pullRequestId', '=', '')
    .where((where) =>
      where.or([
        where('checkedAt', 'is', null),
        isDue('checkedAt', staleBefore, now - staleBefore + leaseMsMax),
        where('pagesRevision', 'is distinct from', (select) =>
          select
            .selectFrom('indexGenerations')
            .select('revision')
            .whereRef('indexGenerations.siteId', '=', 'driftChecks.siteId')
            .where('isWaiting', '=', false)
            .orderBy('number', 'desc')
            .limit(1),
        ),
      ]),
    )
    .execute()
  if (due.length === 0) return
  await db
    .updateTable('driftChecks')
    .set({ runAt: now, attempt: 0, queuedAt: now })
    .where('runAt', 'is', null)
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .execute()
}

function unchecked(now: number) {
  return { ...unclaimed(now), queuedAt: now }
}

/** Open pull requests of a repository of the built-in host whose newest commit was not queued for a product. */
export function listUncheckedPullRequests(
  db: Db,
  { repositoryId, contextId, limit }: { repositoryId: string; contextId: string; limit: number },
): Promise<PullRequestRecord[]> {
  return db
    .selectFrom('pullRequests')
    .selectAll()
    .where('state', '=', 'open')
    .where('repositoryId', '=', repositoryId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('driftChecks')
            .select('driftChecks.id')
            .where('driftChecks.contextId', '=', contextId)
            .whereRef('driftChecks.pullRequestId', '=', 'pullRequests.id')
            .whereRef('driftChecks.headCommit', '=', 'pullRequests.headCommit'),
        ),
      ),
    )
    .orderBy('updatedAt', 'desc')
    .limit(limit)
    .execute()
}

export function claimDriftCheck(db: Db, times: ClaimTimes): Promise<DriftCheck | null> {
  return claimNext(db, 'driftChecks', times)
}

/** The check of a site's products; null before the first one. */
export function getSiteDriftCheck(db: Db, siteId: string): Promise<DriftCheck | null> {
  const query = db.selectFrom('driftChecks').selectAll().where('siteId', '=', siteId).where('pullRequestId', '=', '')
  return firstRow(query)
}
