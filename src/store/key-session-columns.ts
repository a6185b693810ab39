import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** Keys that exist go on as keys for servers. One column per statement, because SQLite adds no more at once. */
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
  await keys().addColumn('purpose', text).execute()
  await sql`update keys set purpose = 'server' where kind = 'assistant'`.execute(db)
  for (const name of ['network_per_minute', 'network_per_day', 'network_share_percent']) {
    await keys()
      .addColumn(name, integer, (column) => column.notNull().defaultTo(0))
      .execute()
  }
}
