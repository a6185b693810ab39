import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** The tables of jobs of the agent: a part of the migrations. */
export async function createAgentTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  const real = dialect === 'postgres' ? sql`float8` : sql`real`
  await db.schema
    .createTable('agent_jobs')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('project_id', text, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('round', integer, (column) => column.notNull())
    .addColumn('message_count', integer, (column) => column.notNull())
    .addColumn('event_count', integer, (column) => column.notNull())
    .addColumn('repository', text, (column) => column.notNull())
    .addColumn('ref', text, (column) => column.notNull())
    .addColumn('branch', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('is_draft', integer, (column) => column.notNull())
    .addColumn('prompt', text, (column) => column.notNull())
    .addColumn('title', text)
    .addColumn('summary', text)
    .addColumn('failure_code', text)
    .addColumn('failure_message', text)
    .addColumn('pull_request', text)
    .addColumn('instructions', text, (column) => column.notNull())
    .addColumn('changes', text, (column) => column.notNull())
    .addColumn('input_tokens', integer, (column) => column.notNull())
    .addColumn('output_tokens', integer, (column) => column.notNull())
    .addColumn('steps', integer, (column) => column.notNull())
    .addColumn('cost_usd', real)
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('lease_owner', text)
    .addColumn('lease_until', integer)
    .addColumn('idempotency_key', text)
    .addColumn('request_hash', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addColumn('archived_at', integer)
    .addUniqueConstraint('agent_jobs_idempotency', ['project_id', 'idempotency_key'])
    .execute()
  await db.schema.createIndex('agent_jobs_by_project').on('agent_jobs').columns(['project_id', 'id']).execute()
  await db.schema.createIndex('agent_jobs_by_status').on('agent_jobs').columns(['status', 'updated_at']).execute()
  await createJobDetails(db, { text, integer, real })
}

type Types = Record<'text' | 'integer' | 'real', ReturnType<typeof sql>>

async function createJobDetails(db: Kysely<unknown>, { text, integer, real }: Types): Promise<void> {
  await db.schema
    .createTable('job_messages')
    .addColumn('job_id', text, (column) => column.notNull().references('agent_jobs.id').onDelete('cascade'))
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('round', integer, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('context', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('job_messages_key', ['job_id', 'number'])
    .execute()
  await db.schema
    .createTable('job_steps')
    .addColumn('job_id', text, (column) => column.notNull().references('agent_jobs.id').onDelete('cascade'))
    .addColumn('round', integer, (column) => column.notNull())
    .addColumn('step', integer, (column) => column.notNull())
    .addColumn('transcript', text, (column) => column.notNull())
    .addColumn('checkpoint', text)
    .addColumn('input_tokens', integer, (column) => column.notNull())
    .addColumn('output_tokens', integer, (column) => column.notNull())
    .addColumn('cost_usd', real)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('job_steps_key', ['job_id', 'round', 'step'])
    .execute()
  await db.schema.createIndex('job_steps_by_time').on('job_steps').column('created_at').execute()
  await db.schema
    .createTable('job_events')
    .addColumn('job_id', text, (column) => column.notNull().references('agent_jobs.id').onDelete('cascade'))
    .addColumn('seq', integer, (column) => column.notNull())
    .addColumn('data', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('job_events_key', ['job_id', 'seq'])
    .execute()
}
