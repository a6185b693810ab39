import { isDue, leaseMsMax } from '../is-due.ts'
import { PostgresAdapter } from 'kysely'
import { type AutomationCause, insertAutomationRun } from './automation-runs.ts'
import { inTransaction } from '../in-transaction.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged, selectSiteIds } from '../queries.ts'
import type { Db, Row } from '../schema.ts'
import { automationTables } from '../tables/automations.ts'
import { columnsOf } from '../tables/define-table.ts'
export type { AutomationTrigger } from '../tables/automations.ts'

/** A recurring job and its trigger. */
export type Automation = Omit<Row<'automations'>, 'claimedUntil'>

const automationColumns = columnsOf(automationTables.automations, 'claimedUntil')

export async function insertAutomation(db: Db, automation: Automation): Promise<void> {
  await db.insertInto('automations').values(automation).execute()
}

export type AutomationChange = Omit<Automation, 'id' | 'siteId' | 'createdAt' | 'version' | 'started'>

/** Saves a user's change. A check in progress is invalidated and starts over. */
export async function updateAutomation(db: Db, id: string, change: AutomationChange): Promise<void> {
  await db
    .updateTable('automations')
    .set((set) => ({ ...change, version: set('version', '+', 1), claimedUntil: null }))
    .where('id', '=', id)
    .execute()
}

export function getAutomation(db: Db, id: string): Promise<Automation | null> {
  return firstRow(db.selectFrom('automations').select(automationColumns).where('id', '=', id))
}

/** Lists the automations of an organization or of one of its sites; by id; the cursor is an id. */
export function listAutomations(
  db: Db,
  request: ListRequest & { organizationId: string; siteId?: string | undefined },
): Promise<Listing<Automation>> {
  const { organizationId, siteId } = request
  let query = db
    .selectFrom('automations')
    .select(automationColumns)
    .where('siteId', 'in', selectSiteIds(db, organizationId))
  if (siteId !== undefined) query = query.where('siteId', '=', siteId)
  return listById(query, request)
}

/** Deletes its runs too, but not their jobs. @returns Whether it existed. */
export function deleteAutomation(db: Db, id: string): Promise<boolean> {
  return hasChanged(db.deleteFrom('automations').where('id', '=', id))
}

/** Claims the longest overdue automation. @param claim.claimedUntil When other workers may claim it. */
export function claimDueAutomation(db: Db, claim: { now: number; claimedUntil: number }): Promise<Automation | null> {
  const query = db
    .selectFrom('automations as due')
    .select('due.id')
    .where('due.isEnabled', '=', true)
    .where('due.dueAt', '<=', claim.now)
    .where((where) =>
      where.or([where('due.claimedUntil', 'is', null), isDue('due.claimedUntil', claim.now, leaseMsMax)]),
    )
    .orderBy('due.dueAt')
    .orderBy('due.id')
    .limit(1)
  // SQLite runs one write at a time; PostgreSQL skips rows locked by another claim.
  const next = db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate().skipLocked() : query
  return firstRow(
    db
      .updateTable('automations')
      .set({ claimedUntil: claim.claimedUntil })
      .where('id', '=', next)
      .returning(automationColumns),
  )
}

/** Enabled automations that are due later. */
export function listPostponedAutomations(db: Db, now: number): Promise<Automation[]> {
  return db
    .selectFrom('automations')
    .select(automationColumns)
    .where('isEnabled', '=', true)
    .where('dueAt', '>', now)
    .execute()
}

export interface AutomationLook {
  /** Unchanged if absent. */
  revision?: string
  coveredRevision?: string
  dueAt: number | null
  failure: string | null
  /** Null if the trigger did not fire. */
  run: { id: string; occurrence: string; cause: AutomationCause; from: string | null; to: string | null } | null
  now: number
}

/**
 * Records the result of checking an automation, together with the run it triggers.
 *
 * @returns False if the automation has changed since it was read; nothing was written then.
 */
export function recordAutomationCheck(
  db: Db,
  { id, version }: Pick<Automation, 'id' | 'version'>,
  look: AutomationLook,
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const result = await transaction
      .updateTable('automations')
      .set({
        ...(look.revision !== undefined && { revision: look.revision }),
        ...(look.coveredRevision !== undefined && { coveredRevision: look.coveredRevision }),
        dueAt: look.dueAt,
        failure: look.failure,
        claimedUntil: null,
        version: version + 1,
      })
      .where('id', '=', id)
      .where('version', '=', version)
      .executeTakeFirst()
    if (result.numUpdatedRows === 0n) return false
    if (look.run !== null) await insertAutomationRun(transaction, { ...look.run, automationId: id, now: look.now })
    return true
  })
}

/** For process startup: changes made while no process ran were not reported to anyone. */
export async function triggerAllWatchers(db: Db, now: number): Promise<void> {
  const rows = await db.selectFrom('automations').select(automationColumns).where('isEnabled', '=', true).execute()
  const watching = rows.filter(({ trigger }) => trigger.type === 'push' || trigger.type === 'merge')
  await triggerAutomations(
    db,
    watching.map(({ id }) => id),
    now,
  )
}

/** Schedules branch checks as soon as possible. Checks in progress are repeated. */
export async function triggerAutomations(db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('automations')
    .set((set) => ({ dueAt: now, claimedUntil: null, version: set('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** Automations that fire when a branch moves: of a site's docs or of a context repository. */
export async function listWatchingAutomations(
  db: Db,
  { siteIds, contextIds }: { siteIds: readonly string[]; contextIds: readonly string[] },
): Promise<Automation[]> {
  const rows = await db.selectFrom('automations').select(automationColumns).where('isEnabled', '=', true).execute()
  return rows.filter(({ siteId, trigger }) => {
    if (trigger.type === 'push') return siteIds.includes(siteId)
    return trigger.type === 'merge' && contextIds.includes(trigger.contextRepositoryId)
  })
}

/** Automations that watch a context repository, enabled or not. */
export async function listAutomationsOfContext(db: Db, contextId: string): Promise<Automation[]> {
  const rows = await db.selectFrom('automations').select(automationColumns).execute()
  return rows.filter(({ trigger }) => trigger.type === 'merge' && trigger.contextRepositoryId === contextId)
}

/** Restarts watching from the current commit of the branch, after the branch was replaced by another one. */
export async function resetWatchers(
  db: Db,
  places: { siteIds: readonly string[]; contextIds: readonly string[] },
  now: number,
): Promise<void> {
  const ids = (await listWatchingAutomations(db, places)).map(({ id }) => id)
  if (ids.length === 0) return
  await db.updateTable('automations').set({ revision: null, coveredRevision: null }).where('id', 'in', ids).execute()
  await triggerAutomations(db, ids, now)
}
