import { mkdir } from 'node:fs/promises'
import { createTables, runMigrations } from '../migrations/create-tables.ts'
import type { DatabaseSnapshot } from '../migrations/row-reader.ts'
import type { TableSum } from '../migrations/row-sum.ts'
import type { FilledDatabase, FillInput } from '../migrations/fill-database.ts'
import { compareRows, RowLoader } from '../migrations/load-rows.ts'
import { startSqliteClient } from './sqlite-client.ts'
import { createSqliteDatabase } from './sqlite-dialect.ts'
import { openSqliteSnapshot } from './sqlite-snapshot.ts'
import type { TableShape } from '../migrations/table-shapes.ts'

/**
 * Creates an embedded database in an empty folder, fills it, verifies the rows and migrates it to the latest schema. If
 * interrupted, the folder can simply be removed.
 */
export async function fillSqlite(folder: string, input: FillInput): Promise<FilledDatabase> {
  const { migration, newest, shapes, now, load } = input
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const client = await startSqliteClient(folder)
  try {
    const db = createSqliteDatabase(client, 'durable')
    const written = await db.transaction().execute(async (transaction) => {
      await createTables(transaction, { dialect: 'sqlite', last: migration, now })
      const loader = new RowLoader(transaction, 'sqlite')
      await load(loader, transaction)
      return loader.end()
    })
    const snapshot = await openSqliteSnapshot(folder)
    const sums = await compareAndClose(snapshot, shapes, written)
    await db
      .transaction()
      .execute((transaction) => runMigrations(transaction, { dialect: 'sqlite', after: migration, last: newest, now }))
    return { sums }
  } finally {
    await client.close()
  }
}

async function compareAndClose(
  snapshot: DatabaseSnapshot,
  shapes: readonly TableShape[],
  written: ReadonlyMap<string, TableSum>,
): Promise<ReadonlyMap<string, TableSum>> {
  try {
    return await compareRows(snapshot, shapes, written)
  } finally {
    await snapshot.close()
  }
}
