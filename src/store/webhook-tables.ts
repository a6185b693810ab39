import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** The tables of webhooks, in and out: a part of the migrations. */
export async function createWebhookTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await createInboundTables(db, { text, integer })
  await createOutboundTables(db, { text, integer })
  await db.schema.createIndex('agent_jobs_by_site').on('agent_jobs').columns(['site_id', 'id']).execute()
}

type Types = Record<'text' | 'integer', ReturnType<typeof sql>>

async function createInboundTables(db: Kysely<unknown>, { text, integer }: Types): Promise<void> {
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('delivery_id', text, (column) => column.notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('site_id', text, (column) => column.references('sites.id').onDelete('cascade'))
    .addColumn('event', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('outcome', text)
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('run_at', integer, (column) => column.notNull())
    .addColumn('received_at', integer, (column) => column.notNull())
    .addColumn('finished_at', integer)
    .addUniqueConstraint('webhook_deliveries_once', ['source', 'delivery_id'])
    .execute()
  await sql`create index webhook_deliveries_queued on webhook_deliveries (run_at, id) where state = 'queued'`.execute(
    db,
  )
  await db.schema
    .createIndex('webhook_deliveries_by_site')
    .on('webhook_deliveries')
    .columns(['site_id', 'id'])
    .execute()
  await db.schema.createIndex('webhook_deliveries_by_time').on('webhook_deliveries').columns(['received_at']).execute()
  await db.schema
    .createTable('comment_answers')
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('comment_id', text, (column) => column.notNull())
    .addColumn('job_id', text, (column) => column.notNull().references('agent_jobs.id').onDelete('cascade'))
    .addColumn('pull_request_id', text, (column) => column.notNull())
    .addColumn('answer_id', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('run_at', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('comment_answers_key', ['site_id', 'comment_id'])
    .execute()
  await sql`create index comment_answers_open on comment_answers (run_at) where state != 'ended'`.execute(db)
  await db.schema.createIndex('comment_answers_by_job').on('comment_answers').column('job_id').execute()
}

async function createOutboundTables(db: Kysely<unknown>, { text, integer }: Types): Promise<void> {
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('events', text, (column) => column.notNull())
    .addColumn('secret_sealed', text, (column) => column.notNull())
    .addColumn('is_enabled', integer, (column) => column.notNull())
    .addColumn('disabled_reason', text)
    .addColumn('failing_since', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_endpoints_by_organization')
    .on('webhook_endpoints')
    .columns(['organization_id', 'id'])
    .execute()
  await db.schema
    .createTable('webhook_events')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('type', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('webhook_events_by_time').on('webhook_events').column('created_at').execute()
  await db.schema.createIndex('webhook_events_by_organization').on('webhook_events').column('organization_id').execute()
  await db.schema
    .createTable('webhook_sends')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('endpoint_id', text, (column) => column.notNull().references('webhook_endpoints.id').onDelete('cascade'))
    .addColumn('event_id', text, (column) => column.notNull().references('webhook_events.id').onDelete('cascade'))
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('tries', integer, (column) => column.notNull())
    .addColumn('run_at', integer, (column) => column.notNull())
    .addColumn('status', integer)
    .addColumn('duration_ms', integer)
    .addColumn('failure', text)
    .addColumn('reply', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('tried_at', integer)
    .addUniqueConstraint('webhook_sends_once', ['event_id', 'endpoint_id'])
    .execute()
  await sql`create index webhook_sends_queued on webhook_sends (run_at, id) where state = 'queued'`.execute(db)
  await db.schema.createIndex('webhook_sends_by_endpoint').on('webhook_sends').columns(['endpoint_id', 'id']).execute()
}
