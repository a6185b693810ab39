import { sql } from 'kysely'
import { hasTable, readMigrations } from '../migrations/migration-state.ts'
import { createPostgresPool } from './postgres-pool.ts'
import {
  type DatabaseSnapshot,
  quoteName,
  type RepositoryRecord,
  type Row,
  type RowReader,
} from '../migrations/row-reader.ts'
import { createPostgresDatabase } from '../row-codec.ts'
import type { Db } from '../schema.ts'
import type { TableShape } from '../migrations/table-shapes.ts'

/** Rows per fetch: they are all in memory at once, and may be long. */
const fetchRows = 50

/**
 * Opens PostgreSQL for reading, in one transaction with a consistent view as of now.
 *
 * @throws {AppError} `database_unavailable`.
 */
export async function openPostgresSnapshot(databaseUrl: string): Promise<DatabaseSnapshot> {
  const db = createPostgresDatabase(
    createPostgresPool({ databaseUrl, connectionsMax: 1, isDurable: true, onConnectionLost: () => {} }),
  )
  try {
    const transaction = await db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute()
    const migrations = await readMigrations(transaction)
    let closed: Promise<void> | null = null
    const close = async () => {
      // A lost connection has nothing to roll back.
      await transaction
        .rollback()
        .execute()
        .catch(() => undefined)
      await db.destroy()
    }
    return {
      ...createPostgresReader(transaction),
      db: transaction,
      migrations,
      listRepositories: () => listRecords(transaction),
      close: () => (closed ??= close()),
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** @param db A transaction, because it uses cursors. */
export function createPostgresReader(db: Db): RowReader {
  // Rows are copied as stored.
  const transaction = db.withoutPlugins()
  return {
    async *read({ name, columns, key }: TableShape) {
      const order = await readOrder(transaction, name, key)
      const select = `select ${columns.map(quoteName).join(', ')} from ${quoteName(name)} order by ${order}`
      await sql`declare docent_rows no scroll cursor for ${sql.raw(select)}`.execute(transaction)
      for (;;) {
        const fetch = sql.raw<Record<string, Row[number]>>(`fetch ${fetchRows} from docent_rows`)
        const { rows } = await fetch.execute(transaction)
        if (rows.length > 0) yield rows.map((row) => columns.map((column) => row[column] ?? null))
        if (rows.length < fetchRows) break
      }
      await sql`close docent_rows`.execute(transaction)
    },
  }
}

/** Sorts text bytewise, as the embedded database does, regardless of the server's locale. */
async function readOrder(db: Db, table: string, key: readonly string[]): Promise<string> {
  const { rows } = await sql<{ column_name: string; data_type: string }>`select column_name, data_type
    from information_schema.columns where table_schema = current_schema() and table_name = ${table}`.execute(db)
  const types = new Map(rows.map((row) => [row.column_name, row.data_type]))
  return key.map((column) => `${quoteName(column)}${types.get(column) === 'text' ? ' collate "C"' : ''}`).join(', ')
}

/** Takes none of the locks that reading a state for an update takes: nothing changes within a snapshot. */
async function listRecords(transaction: Db): Promise<RepositoryRecord[]> {
  if (!(await hasTable(transaction, 'repositories'))) return []
  const rows = await transaction.selectFrom('repositories').select(['id', 'folder']).orderBy('id').execute()
  if (!(await hasTable(transaction, 'repository_states'))) return rows.map((row) => ({ ...row, state: null }))
  const states = await transaction.selectFrom('repositoryStates').selectAll().execute()
  const packs = await transaction.selectFrom('repositoryPacks').selectAll().orderBy('version').orderBy('hash').execute()
  return rows.map((row) => {
    const state = states.find(({ repositoryId: id }) => id === row.id)
    if (state === undefined) return { ...row, state: null }
    const refs = new Map(Object.entries(state.refs))
    const own = packs.filter(({ repositoryId: id }) => id === row.id).map(({ hash }) => hash)
    return { ...row, state: { head: state.head, refs, shallow: state.shallow, packs: own } }
  })
}
