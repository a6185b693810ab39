import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/**
 * What an answer cost and why it was judged as it was, which question it answers, and the owner's words to the
 * assistant: a part of the migrations. One column a statement, because SQLite adds no more at once.
 */
export async function addAnswerCosts(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const fraction = dialect === 'postgres' ? sql`double precision` : sql`real`
  const columns: [column: string, type: ReturnType<typeof sql>][] = [
    ['cost_usd', fraction],
    ['verdict_reasons', text],
    ['turn_key', text],
    ['question_id', text],
    ['replaced_by', text],
  ]
  for (const [column, type] of columns) await db.schema.alterTable('messages').addColumn(column, type).execute()
  await sql`create index messages_by_turn on messages (turn_key) where turn_key is not null`.execute(db)
  await sql`create index messages_by_question on messages (question_id) where question_id is not null`.execute(db)
  await db.schema
    .createTable('index_guidance')
    .addColumn('generation_id', text, (column) =>
      column.primaryKey().notNull().references('index_generations.id').onDelete('cascade'),
    )
    .addColumn('guidance', text, (column) => column.notNull())
    .execute()
}
