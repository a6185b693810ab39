import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** The tables of answers that can be resumed, and of feedback: a part of the migrations. */
export async function createStreamTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await db.schema
    .createTable('stream_chats')
    .addColumn('key_id', text, (column) => column.notNull().references('keys.id').onDelete('cascade'))
    .addColumn('chat_id', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('fp', text, (column) => column.notNull())
    .addColumn('is_shared', integer, (column) => column.notNull())
    .addColumn('stream_id', text, (column) => column.notNull())
    .addColumn('audience', text, (column) => column.notNull())
    .addColumn('alive_at', integer, (column) => column.notNull())
    .addColumn('kept_until', integer)
    .addColumn('read_at', integer, (column) => column.notNull())
    .addColumn('stop_id', text)
    .addPrimaryKeyConstraint('stream_chats_key', ['key_id', 'chat_id'])
    .execute()
  await db.schema
    .createTable('stream_events')
    .addColumn('stream_id', text, (column) => column.notNull())
    .addColumn('seq', integer, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('chat_id', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('is_last', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('stream_events_key', ['stream_id', 'seq'])
    .addForeignKeyConstraint(
      'stream_events_chat',
      ['key_id', 'chat_id'],
      'stream_chats',
      ['key_id', 'chat_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await db.schema.createIndex('stream_events_by_chat').on('stream_events').columns(['key_id', 'chat_id']).execute()
  await db.schema
    .createTable('feedback')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('thread_id', text, (column) => column.notNull())
    .addColumn('message_id', text, (column) => column.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('fp', text, (column) => column.notNull())
    .addColumn('is_helpful', integer, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('note', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addUniqueConstraint('feedback_of_reader', ['message_id', 'fp'])
    .execute()
  await db.schema.createIndex('feedback_by_site').on('feedback').columns(['site_id', 'id']).execute()
  await db.schema.createIndex('threads_by_age').on('threads').column('updated_at').execute()
}
