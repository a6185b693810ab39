import { isDue, leaseMsMax } from './is-due.ts'
import { type Kysely, PostgresAdapter } from 'kysely'
import { type AutomationCause, insertAutomationRun } from './automation-runs.ts'
import { inTransaction } from './in-transaction.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'
import type { AutomationTrigger } from './tables/automations.ts'

export type { AutomationTrigger } from './tables/automations.ts'

/** A job that is made again and again, and what makes it. */
export interface Automation {
  id: string
  siteId: string
  name: string
  isEnabled: boolean
  /** With placeholders. */
  prompt: string
  trigger: AutomationTrigger
  /** Most pull requests of it that are open at once. */
  openMax: number
  /** Most runs in a UTC day. */
  dailyMax: number
  /** What the branch that is watched named when it was last looked at; null where none is, or nobody has looked. */
  revision: string | null
  /** The same, up to which a run has told the agent what has changed. */
  coveredRevision: string | null
  /** Counts what was noted of it. It fences: what was found out under an older version changes nothing. */
  version: number
  /** Counts the runs that came to a job. */
  started: number
  /** When the schedule fires next, or the branch is looked at; null where neither is to come. UTC milliseconds. */
  dueAt: number | null
  /** Why the branch could not be looked at the last time. */
  failure: string | null
  createdAt: number
  updatedAt: number
}

export async function insertAutomation(db: Kysely<Database>, automation: Automation): Promise<void> {
  await db
    .insertInto('automations')
    .values({
      id: automation.id,
      siteId: automation.siteId,
      createdAt: automation.createdAt,
      ...toRow(automation),
      version: automation.version,
      started: automation.started,
      claimedUntil: null,
    })
    .execute()
}

export type AutomationChange = Pick<
  Automation,
  | 'name'
  | 'isEnabled'
  | 'prompt'
  | 'trigger'
  | 'openMax'
  | 'dailyMax'
  | 'revision'
  | 'coveredRevision'
  | 'dueAt'
  | 'failure'
  | 'updatedAt'
>

/** Writes what somebody has decided; whoever looks at the branch meanwhile begins anew. */
export async function updateAutomation(db: Kysely<Database>, id: string, change: AutomationChange): Promise<void> {
  await db
    .updateTable('automations')
    .set((set) => ({ ...toRow(change), version: set('version', '+', 1), claimedUntil: null }))
    .where('id', '=', id)
    .execute()
}

export async function getAutomation(db: Kysely<Database>, id: string): Promise<Automation | null> {
  const row = await db.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toAutomation(row)
}

/** Of an organization, or of one of its sites; by id; the cursor is an id. */
export async function listAutomations(
  db: Kysely<Database>,
  request: ListRequest & { organizationId: string; siteId?: string | undefined },
): Promise<Listing<Automation>> {
  let query = db
    .selectFrom('automations')
    .innerJoin('sites', 'sites.id', 'automations.siteId')
    .innerJoin('projects', 'projects.id', 'sites.projectId')
    .selectAll('automations')
    .where('projects.organizationId', '=', request.organizationId)
  if (request.siteId !== undefined) query = query.where('automations.siteId', '=', request.siteId)
  if (request.cursor) query = query.where('automations.id', '>', request.cursor)
  const rows = await query
    .orderBy('automations.id')
    .limit(request.limit + 1)
    .execute()
  return toListing(rows, request.limit, toAutomation, (row) => row.id)
}

/** With its runs. Jobs stay. @returns Whether there was one. */
export async function deleteAutomation(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('automations').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Takes the automation that is due for the longest time. @param claim.claimedUntil When somebody else may take it. */
export async function claimDueAutomation(
  db: Kysely<Database>,
  claim: { now: number; claimedUntil: number },
): Promise<Automation | null> {
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
  // SQLite runs one writing statement at a time; PostgreSQL skips rows that another claim has locked.
  const next = db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate().skipLocked() : query
  const row = await db
    .updateTable('automations')
    .set({ claimedUntil: claim.claimedUntil })
    .where('id', '=', next)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAutomation(row)
}

export interface AutomationLook {
  /** Absent: as it was. */
  revision?: string
  coveredRevision?: string
  dueAt: number | null
  failure: string | null
  /** Null: the trigger did not fire. */
  run: { id: string; occurrence: string; cause: AutomationCause; from: string | null; to: string | null } | null
  now: number
}

/**
 * Notes what a look at an automation has found, together with the run that it leads to.
 *
 * @returns False when something else was noted since the automation was read; nothing was written then.
 */
export function noteAutomationLook(
  db: Kysely<Database>,
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

/** For the start of a process: what has moved meanwhile was told to nobody. */
export async function hastenAllWatchers(db: Kysely<Database>, now: number): Promise<void> {
  const rows = await db.selectFrom('automations').selectAll().where('isEnabled', '=', true).execute()
  const watching = rows.map(toAutomation).filter(({ trigger }) => trigger.type === 'push' || trigger.type === 'merge')
  await hastenAutomations(
    db,
    watching.map(({ id }) => id),
    now,
  )
}

/** Has the branches of automations looked at as soon as possible. A look that goes on just now is done again. */
export async function hastenAutomations(db: Kysely<Database>, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('automations')
    .set((set) => ({ dueAt: now, claimedUntil: null, version: set('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

/** Those that are to fire when a branch moves: of the docs of a site, or of a context repository. */
export async function listWatchingAutomations(
  db: Kysely<Database>,
  { siteIds, contextIds }: { siteIds: readonly string[]; contextIds: readonly string[] },
): Promise<Automation[]> {
  const rows = await db.selectFrom('automations').selectAll().where('isEnabled', '=', true).execute()
  return rows.map(toAutomation).filter(({ siteId, trigger }) => {
    if (trigger.type === 'push') return siteIds.includes(siteId)
    return trigger.type === 'merge' && contextIds.includes(trigger.contextRepositoryId)
  })
}

/** Those that watch a context repository, switched off or on. */
export async function listAutomationsOfContext(db: Kysely<Database>, contextId: string): Promise<Automation[]> {
  const rows = await db.selectFrom('automations').selectAll().execute()
  return rows
    .map(toAutomation)
    .filter(({ trigger }) => trigger.type === 'merge' && trigger.contextRepositoryId === contextId)
}

/** Has automations begin anew with what their branch names, because it is another branch than before. */
export async function resetWatchers(
  db: Kysely<Database>,
  places: { siteIds: readonly string[]; contextIds: readonly string[] },
  now: number,
): Promise<void> {
  const ids = (await listWatchingAutomations(db, places)).map(({ id }) => id)
  if (ids.length === 0) return
  await db.updateTable('automations').set({ revision: null, coveredRevision: null }).where('id', 'in', ids).execute()
  await hastenAutomations(db, ids, now)
}

function toRow(automation: AutomationChange) {
  return {
    name: automation.name,
    isEnabled: automation.isEnabled,
    prompt: automation.prompt,
    trigger: automation.trigger,
    openMax: automation.openMax,
    dailyMax: automation.dailyMax,
    revision: automation.revision,
    coveredRevision: automation.coveredRevision,
    dueAt: automation.dueAt,
    failure: automation.failure,
    updatedAt: automation.updatedAt,
  }
}

function toAutomation(row: Row<'automations'>): Automation {
  return {
    id: row.id,
    siteId: row.siteId,
    name: row.name,
    isEnabled: row.isEnabled,
    prompt: row.prompt,
    trigger: row.trigger,
    openMax: row.openMax,
    dailyMax: row.dailyMax,
    revision: row.revision,
    coveredRevision: row.coveredRevision,
    version: row.version,
    started: row.started,
    dueAt: row.dueAt,
    failure: row.failure,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
