import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

/** The tables of context repositories and of automations: a part of the migrations. */
export async function createAutomationTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await db.schema.alterTable('agent_jobs').addColumn('contexts', text).execute()
  await db.schema
    .createTable('context_repositories')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('credential_sealed', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('context_repositories_name', ['site_id', 'name'])
    .execute()
  await createAutomations(db, { text, integer })
}

type Types = Record<'text' | 'integer', ReturnType<typeof sql>>

async function createAutomations(db: Kysely<unknown>, { text, integer }: Types): Promise<void> {
  await db.schema
    .createTable('automations')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('is_enabled', integer, (column) => column.notNull())
    .addColumn('prompt', text, (column) => column.notNull())
    .addColumn('trigger', text, (column) => column.notNull())
    .addColumn('open_max', integer, (column) => column.notNull())
    .addColumn('daily_max', integer, (column) => column.notNull())
    .addColumn('revision', text)
    .addColumn('covered_revision', text)
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('started', integer, (column) => column.notNull())
    .addColumn('due_at', integer)
    .addColumn('claimed_until', integer)
    .addColumn('failure', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('automations_by_site').on('automations').columns(['site_id', 'id']).execute()
  await db.schema.createIndex('automations_by_due').on('automations').column('due_at').execute()
  await db.schema
    .createTable('automation_runs')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('automation_id', text, (column) => column.notNull().references('automations.id').onDelete('cascade'))
    .addColumn('occurrence', text, (column) => column.notNull())
    .addColumn('cause', text, (column) => column.notNull())
    .addColumn('from_revision', text)
    .addColumn('to_revision', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('outcome', text)
    .addColumn('job_id', text)
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('run_at', integer, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('finished_at', integer)
    // One run for each time that a trigger fires, whoever saw it fire.
    .addUniqueConstraint('automation_runs_once', ['automation_id', 'occurrence'])
    .execute()
  await db.schema.createIndex('automation_runs_by_state').on('automation_runs').columns(['state', 'run_at']).execute()
  await db.schema.createIndex('automation_runs_by_job').on('automation_runs').column('job_id').execute()
}
