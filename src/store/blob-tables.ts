import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/**
 * The tables of what replicas share beside rows, a part of the migrations: contents by hash, what names them, and leases.
 * The embedded database has the same tables and leaves them empty, because its files lie in its own folder.
 */
export async function createBlobTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`
  await db.schema
    .createTable('blobs')
    .addColumn('hash', text, (column) => column.primaryKey().notNull())
    .addColumn('size', integer, (column) => column.notNull())
    .addColumn('touched_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('blobs_by_touch').on('blobs').column('touched_at').execute()
  await db.schema
    .createTable('blob_chunks')
    .addColumn('hash', text, (column) => column.notNull().references('blobs.hash').onDelete('cascade'))
    .addColumn('seq', integer, (column) => column.notNull())
    .addColumn('bytes', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_chunks_key', ['hash', 'seq'])
    .execute()
  // Packs are compressed and indexes are read as a whole: trying to compress them again only costs time.
  if (dialect === 'postgres') await sql`alter table blob_chunks alter column bytes set storage external`.execute(db)
  await db.schema
    .createTable('index_blobs')
    .addColumn('generation_id', text, (column) =>
      column.notNull().references('index_generations.id').onDelete('cascade'),
    )
    .addColumn('part', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull().references('blobs.hash'))
    .addColumn('model', text)
    .addPrimaryKeyConstraint('index_blobs_key', ['generation_id', 'part'])
    .execute()
  await db.schema.createIndex('index_blobs_by_hash').on('index_blobs').column('hash').execute()
  await createRepositoryTables(db, text, integer)
  await db.schema
    .createTable('leases')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('owner', text, (column) => column.notNull())
    .addColumn('lease_until', integer, (column) => column.notNull())
    .execute()
}

type ColumnType = ReturnType<typeof sql>

async function createRepositoryTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('repository_states')
    .addColumn('repository_id', text, (column) =>
      column.primaryKey().notNull().references('repositories.id').onDelete('cascade'),
    )
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('head', text, (column) => column.notNull())
    .addColumn('refs', text, (column) => column.notNull())
    .addColumn('shallow', text)
    .execute()
  await db.schema
    .createTable('repository_packs')
    .addColumn('repository_id', text, (column) =>
      column.notNull().references('repository_states.repository_id').onDelete('cascade'),
    )
    .addColumn('hash', text, (column) => column.notNull().references('blobs.hash'))
    .addColumn('version', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('repository_packs_key', ['repository_id', 'hash'])
    .execute()
  await db.schema.createIndex('repository_packs_by_hash').on('repository_packs').column('hash').execute()
}
