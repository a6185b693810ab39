import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** A column, because the claim of a run asks for it within its one statement. No site was crawled before. */
export async function addCrawlColumn(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await db.schema
    .alterTable('sites')
    .addColumn('is_crawled', integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
