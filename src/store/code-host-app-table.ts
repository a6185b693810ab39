import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** The table of Apps that organizations have on code hosts: a part of the migrations. */
export async function createCodeHostAppTable(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await db.schema
    .createTable('code_host_apps')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('origin', text, (column) => column.notNull())
    .addColumn('app_id', text, (column) => column.notNull())
    .addColumn('slug', text, (column) => column.notNull())
    .addColumn('private_key_sealed', text, (column) => column.notNull())
    .addColumn('webhook_secret_sealed', text)
    .addColumn('has_verified_commits', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('code_host_apps_one_per_origin', ['organization_id', 'kind', 'origin'])
    .execute()
  await db.schema.createIndex('code_host_apps_by_app').on('code_host_apps').columns(['kind', 'app_id']).execute()
}
