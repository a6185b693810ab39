import { hasRow } from '../queries.ts'
import type { SuiteResult } from '../../contract/suite.ts'
import { inTransaction } from '../in-transaction.ts'
import { isDue, leaseMsMax } from '../is-due.ts'
import type { Db, Row } from '../schema.ts'

export type SuiteRun = Row<'suiteRuns'>

/** One worker's claim on a run. */
export interface SuiteClaim {
  id: string
  siteId: string
  generationId: string
  revision: string
  claimedAt: number
}

/** Enough for a trend over months. */
const keptRuns = 200

/**
 * Claims the run of an index, unless it has ended or somebody works on it.
 *
 * @param staleBefore Earlier claims are of workers that died.
 */
export function claimSuiteRun(db: Db, claim: SuiteClaim, staleBefore: number): Promise<boolean> {
  return hasRow(
    db
      .insertInto('suiteRuns')
      .values({ ...claim, startedAt: claim.claimedAt, finishedAt: null, passed: 0, total: 0, results: [] })
      .onConflict((conflict) =>
        conflict
          .columns(['siteId', 'generationId'])
          .doUpdateSet({ claimedAt: claim.claimedAt })
          .where('suiteRuns.finishedAt', 'is', null)
          .where(isDue('suiteRuns.claimedAt', staleBefore, claim.claimedAt - staleBefore + leaseMsMax)),
      )
      .returning('id'),
  )
}

/** Stores the results, if the claim still holds, and removes old runs. */
export function finishSuiteRun(
  db: Db,
  { siteId, generationId, claimedAt }: SuiteClaim,
  { results, now }: { results: SuiteResult[]; now: number },
): Promise<void> {
  const passed = results.filter(({ failures }) => failures.length === 0).length
  return inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('suiteRuns')
      .set({ results, passed, total: results.length, finishedAt: now })
      .where((where) => where.and({ siteId, generationId, claimedAt, finishedAt: null }))
      .execute()
    const old = transaction
      .selectFrom('suiteRuns')
      .select('id')
      .where('siteId', '=', siteId)
      .orderBy('id', 'desc')
      .offset(keptRuns)
      .limit(1)
    await transaction.deleteFrom('suiteRuns').where('siteId', '=', siteId).where('id', '<=', old).execute()
  })
}

/** Runs that have ended, newest first, without their results. */
export function listSuiteRuns(
  db: Db,
  siteId: string,
  limit: number,
): Promise<Pick<SuiteRun, 'id' | 'revision' | 'startedAt' | 'passed' | 'total'>[]> {
  return db
    .selectFrom('suiteRuns')
    .select(['id', 'revision', 'startedAt', 'passed', 'total'])
    .where('siteId', '=', siteId)
    .where('finishedAt', 'is not', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function getSuiteResults(db: Db, id: string): Promise<SuiteResult[]> {
  const row = await db.selectFrom('suiteRuns').select('results').where('id', '=', id).executeTakeFirst()
  return row?.results ?? []
}
