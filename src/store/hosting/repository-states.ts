import { PostgresAdapter } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Db } from '../schema.ts'

/** State of a built-in host's repository, independent of which replica has it on disk. */
export interface RepositoryState {
  repositoryId: string
  /** Counts changes, from 1. */
  version: number
  /** Full name of the ref that `HEAD` points to. */
  head: string
  /** Full ref names to full object ids. */
  refs: ReadonlyMap<string, string>
  /** Git's `shallow` file; null for a complete history. */
  shallow: string | null
  /** Hashes of the packs that together contain all objects. */
  packs: readonly string[]
}

/** @returns Null for a repository that was never recorded or has been deleted. */
export async function getRepositoryVersion(db: Db, repositoryId: string): Promise<number | null> {
  const row = await db
    .selectFrom('repositoryStates')
    .select('version')
    .where('repositoryId', '=', repositoryId)
    .executeTakeFirst()
  return row?.version ?? null
}

/** Reads the newest state in one transaction, so that its packs belong to its version. */
export function getRepositoryState(db: Db, repositoryId: string): Promise<RepositoryState | null> {
  return inTransaction(db, async (transaction) => {
    const query = transaction.selectFrom('repositoryStates').selectAll().where('repositoryId', '=', repositoryId)
    const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter
    const row = await (isPostgres ? query.forShare() : query).executeTakeFirst()
    if (row === undefined) return null
    const packs = await transaction
      .selectFrom('repositoryPacks')
      .select('hash')
      .where('repositoryId', '=', repositoryId)
      .orderBy('version')
      .orderBy('hash')
      .execute()
    return {
      repositoryId,
      version: row.version,
      head: row.head,
      refs: new Map(Object.entries(row.refs)),
      shallow: row.shallow,
      packs: packs.map(({ hash }) => hash),
    }
  })
}

/** Records a repository's first state. @returns False if it has one already. */
export function insertRepositoryState(db: Db, state: RepositoryState): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const row = await transaction
      .insertInto('repositoryStates')
      .values({ ...toColumns(state), repositoryId: state.repositoryId, version: state.version })
      .onConflict((conflict) => conflict.column('repositoryId').doNothing())
      .returning('version')
      .executeTakeFirst()
    if (row === undefined) return false
    await insertPacks(transaction, state, state.packs)
    return true
  })
}

/**
 * Records a state as the newest one, provided that its predecessor is the current one.
 *
 * @param now When packs that it no longer references were released, UTC milliseconds.
 * @returns False if another replica was first; nothing was written then.
 */
export function recordRepositoryState(db: Db, state: RepositoryState, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const { repositoryId, version, packs } = state
    const updated = await transaction
      .updateTable('repositoryStates')
      .set({ ...toColumns(state), version })
      .where('repositoryId', '=', repositoryId)
      .where('version', '=', version - 1)
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) return false
    const rows = await transaction
      .selectFrom('repositoryPacks')
      .select('hash')
      .where('repositoryId', '=', repositoryId)
      .execute()
    const known = new Set(rows.map(({ hash }) => hash))
    const dropped = [...known].filter((hash) => !packs.includes(hash))
    if (dropped.length > 0) await dropPacks(transaction, { repositoryId, dropped, now })
    await insertPacks(
      transaction,
      state,
      packs.filter((hash) => !known.has(hash)),
    )
    return true
  })
}

/** Keeps the blobs for a while, for replicas that are about to fetch them. */
async function dropPacks(
  transaction: Db,
  { repositoryId, dropped, now }: { repositoryId: string; dropped: string[]; now: number },
): Promise<void> {
  await transaction
    .deleteFrom('repositoryPacks')
    .where('repositoryId', '=', repositoryId)
    .where('hash', 'in', dropped)
    .execute()
  await transaction.updateTable('blobs').set({ touchedAt: now }).where('hash', 'in', dropped).execute()
}

async function insertPacks(
  transaction: Db,
  { repositoryId, version }: RepositoryState,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  const rows = hashes.map((hash) => ({ repositoryId, hash, version }))
  await transaction.insertInto('repositoryPacks').values(rows).execute()
}

function toColumns({ head, refs, shallow }: RepositoryState) {
  return { head, refs: Object.fromEntries(refs), shallow }
}
