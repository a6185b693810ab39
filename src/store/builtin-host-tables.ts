import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** The tables of the built-in host and of the people who sign in to it: a part of the migrations. */
export async function createBuiltinHostTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await createRepositoryTables(db, text, integer)
  await createUserTables(db, text, integer)
}

type ColumnType = ReturnType<typeof sql>

async function createRepositoryTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('repositories')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('folder', text, (column) => column.notNull().unique())
    .addColumn('default_branch', text, (column) => column.notNull())
    .addColumn('pull_request_count', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('repositories_by_organization')
    .on('repositories')
    .columns(['organization_id', 'id'])
    .execute()
  await createPullRequestTables(db, text, integer)
}

async function createPullRequestTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('pull_requests')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('repository_id', text, (column) => column.notNull().references('repositories.id').onDelete('cascade'))
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('secret', text, (column) => column.notNull().unique())
    .addColumn('job_id', text)
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('is_draft', integer, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('head_branch', text, (column) => column.notNull())
    .addColumn('head_commit', text, (column) => column.notNull())
    .addColumn('base_branch', text, (column) => column.notNull())
    .addColumn('base_commit', text, (column) => column.notNull())
    .addColumn('merge_commit', text)
    .addColumn('checks', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('ended_at', integer)
    .addColumn('ended_by', text)
    .addUniqueConstraint('pull_requests_number', ['repository_id', 'number'])
    .execute()
  // One open pull request per branch, kept by the database, so that of two that open it at once one finds the other's.
  await sql`create unique index pull_requests_open on pull_requests (repository_id, head_branch) where state = 'open'`.execute(
    db,
  )
  await db.schema.createIndex('pull_requests_by_job').on('pull_requests').column('job_id').execute()
  await db.schema
    .createTable('pull_request_comments')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('pull_request_id', text, (column) => column.notNull().references('pull_requests.id').onDelete('cascade'))
    .addColumn('author', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('pull_request_comments_by_pull_request')
    .on('pull_request_comments')
    .columns(['pull_request_id', 'id'])
    .execute()
}

async function createUserTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('users_by_organization').on('users').columns(['organization_id', 'id']).execute()
  // Only hashes of what opens a session are stored: whoever reads the database cannot sign in with it.
  for (const table of ['sessions', 'sign_in_links']) {
    await db.schema
      .createTable(table)
      .addColumn('hash', text, (column) => column.primaryKey().notNull())
      .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .execute()
    await db.schema.createIndex(`${table}_by_user`).on(table).column('user_id').execute()
    await db.schema.createIndex(`${table}_by_expiry`).on(table).column('expires_at').execute()
  }
}
