import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** Keys that are there go on as they were. One column a statement, because SQLite adds no more at once. */
export async function addKeySessionColumns(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  const keys = () => db.schema.alterTable('keys')
  await keys()
    .addColumn('session', text, (column) => column.notNull().defaultTo('off'))
    .execute()
  await keys()
    .addColumn('normal_per_minute', integer, (column) => column.notNull().defaultTo(30))
    .execute()
}
