import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/**
 * What is kept of an answer for those who look at all of them, and the gaps of the documentation that they show: a
 * part of the migrations. One column a statement, because SQLite adds no more at once.
 */
export async function createInsightsTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  for (const column of ['caller', 'key_id', 'version', 'language', 'current_path', 'tried_paths']) {
    await db.schema.alterTable('messages').addColumn(column, text).execute()
  }
  await sql`create index messages_of_answers on messages (site_id, created_at, id) where role = 'assistant'`.execute(db)
  await db.schema
    .createTable('gaps')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    // The gap goes with its question: what a retention or a deletion takes away is not kept here.
    .addColumn('question_id', text, (column) => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('job_id', text)
    .addColumn('answers', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addUniqueConstraint('gaps_by_question', ['site_id', 'question_id'])
    .execute()
  await sql`create index gaps_by_job on gaps (job_id) where job_id is not null`.execute(db)
  // Both databases look for rows that refer to a message which is deleted.
  await db.schema.createIndex('gaps_of_question').on('gaps').column('question_id').execute()
}
