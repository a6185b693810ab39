import { type Kysely, type Migration, sql } from 'kysely'
import { createAccountTables } from './account-tables.ts'
import { addAnswerCosts } from './answer-cost-tables.ts'
import { createAgentTables } from './agent-tables.ts'
import { createAutomationTables } from './automation-tables.ts'
import { createBlobTables } from './blob-tables.ts'
import { createBuiltinHostTables } from './builtin-host-tables.ts'
import { createCodeHostAppTable } from './code-host-app-table.ts'
import { addCrawlColumn } from './crawl-column.ts'
import { createInsightsTables } from './insights-tables.ts'
import { addKeySessionColumns } from './key-session-columns.ts'
import type { StoreDialect } from './store.ts'
import { createStreamTables } from './stream-tables.ts'
import { createWebhookTables } from './webhook-tables.ts'

/**
 * Every migration of both databases, by name, in order. One that was released is never changed or removed: add the
 * next one. Each runs within the transaction of the whole migration.
 */
export function migrationsFor(dialect: StoreDialect): Record<string, Migration> {
  return {
    '0001_first_tables': { up: (db) => createFirstTables(db, dialect) },
    '0002_take_limits': { up: (db) => createTakeLimits(db, dialect) },
    '0003_source_checks': { up: (db) => addSourceChecks(db, dialect) },
    '0004_streams_and_feedback': { up: (db) => createStreamTables(db, dialect) },
    '0005_answer_costs': { up: (db) => addAnswerCosts(db, dialect) },
    '0006_builtin_host': { up: (db) => createBuiltinHostTables(db, dialect) },
    '0007_agent_jobs': { up: (db) => createAgentTables(db, dialect) },
    '0008_crawl': { up: (db) => addCrawlColumn(db, dialect) },
    '0009_accounts': { up: (db) => createAccountTables(db, dialect) },
    '0010_code_host_apps': { up: (db) => createCodeHostAppTable(db, dialect) },
    '0011_webhooks': { up: (db) => createWebhookTables(db, dialect) },
    '0012_insights': { up: (db) => createInsightsTables(db, dialect) },
    '0013_blobs': { up: (db) => createBlobTables(db, dialect) },
    '0014_automations': { up: (db) => createAutomationTables(db, dialect) },
    '0015_key_sessions': { up: (db) => addKeySessionColumns(db, dialect) },
  }
}

async function createFirstTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  // Byte order, as SQLite has it, so that ids and cursors sort alike on both databases.
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await createOrganizationTables(db, text, integer)
  await createSiteTables(db, text, integer)
  await createIndexTables(db, text, integer)
  await createThreadTables(db, text, integer)
}

type ColumnType = ReturnType<typeof sql>

async function createOrganizationTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('projects')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('projects_by_organization').on('projects').columns(['organization_id', 'id']).execute()
  await db.schema
    .createTable('installation')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('value', text, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('counters')
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('window_start', integer, (column) => column.notNull())
    .addColumn('count', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('counters_key', ['name', 'subject', 'window_start'])
    .execute()
  await db.schema.createIndex('counters_by_window').on('counters').column('window_start').execute()
}

async function createSiteTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('sites')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('project_id', text, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('slug', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('hostnames', text, (column) => column.notNull())
    .addColumn('base_url', text)
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('settings', text, (column) => column.notNull())
    .addColumn('identity_secret_sealed', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sites_by_project').on('sites').columns(['project_id', 'id']).execute()
  await db.schema
    .createTable('site_hostnames')
    .addColumn('hostname', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('site_hostnames_by_site').on('site_hostnames').column('site_id').execute()
  await createKeysTable(db, text, integer)
}

async function createKeysTable(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('keys')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('site_id', text, (column) => column.references('sites.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('hint', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('ip_ranges', text, (column) => column.notNull())
    .addColumn('origins', text, (column) => column.notNull())
    .addColumn('groups', text, (column) => column.notNull())
    .addColumn('expires_at', integer)
    .addColumn('revoked_at', integer)
    .addColumn('last_used_at', integer)
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('keys_by_organization').on('keys').columns(['organization_id', 'id']).execute()
  await db.schema.createIndex('keys_by_site').on('keys').columns(['site_id', 'id']).execute()
}

async function createIndexTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('index_runs')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('cause', text, (column) => column.notNull())
    .addColumn('attempt', integer, (column) => column.notNull())
    .addColumn('lease_owner', text)
    .addColumn('lease_until', integer)
    .addColumn('failure', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('started_at', integer)
    .addColumn('finished_at', integer)
    .execute()
  await db.schema.createIndex('index_runs_by_site').on('index_runs').columns(['site_id', 'id']).execute()
  // The two rules of the queue, kept by the database: one waiting and one running run per site.
  await sql`create unique index index_runs_queued on index_runs (site_id) where state = 'queued'`.execute(db)
  await sql`create unique index index_runs_running on index_runs (site_id) where state = 'running'`.execute(db)
  await db.schema
    .createTable('index_generations')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('number', integer, (column) => column.notNull())
    .addColumn('revision', text, (column) => column.notNull())
    .addColumn('file', text, (column) => column.notNull())
    .addColumn('page_count', integer, (column) => column.notNull())
    .addColumn('chunk_count', integer, (column) => column.notNull())
    .addColumn('findings', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('index_generations_number', ['site_id', 'number'])
    .execute()
}

async function createThreadTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('threads')
    .addColumn('site_id', text, (column) => column.notNull().references('sites.id').onDelete('cascade'))
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('fp', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('threads_key', ['site_id', 'id'])
    .execute()
  await db.schema.createIndex('threads_by_update').on('threads').columns(['site_id', 'updated_at', 'id']).execute()
  await db.schema
    .createTable('messages')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('site_id', text, (column) => column.notNull())
    .addColumn('thread_id', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('sources', text, (column) => column.notNull())
    .addColumn('verdict', text)
    .addColumn('generation_id', text)
    .addColumn('model', text)
    .addColumn('usage', text)
    .addColumn('timings', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .addForeignKeyConstraint('messages_thread', ['site_id', 'thread_id'], 'threads', ['site_id', 'id'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('messages_by_thread')
    .on('messages')
    .columns(['site_id', 'thread_id', 'created_at', 'id'])
    .execute()
}

/**
 * PostgreSQL counts in a function, because there a single statement cannot both wait for other takes and undo its own.
 *
 * The first look refuses what is used up without a lock or a write, so that a flood of refused requests costs only
 * reads. A limit that runs out between the look and the count takes back what was counted before it. Every row stays
 * locked until the statement ends, so that nobody sees the count in between.
 */
async function createTakeLimits(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  if (dialect === 'sqlite') return
  await sql`
create function docent_take_limits(
  names text[], subjects text[], windows bigint[], maxima bigint[], out taken boolean, out counts float8[]
) language plpgsql as $body$
declare
  new_count bigint;
begin
  select array_agg(coalesce(counters.count, 0)::float8 order by wanted.position),
    coalesce(bool_and(coalesce(counters.count, 0) < wanted.most), true)
  into counts, taken
  from unnest(names, subjects, windows, maxima) with ordinality
    as wanted (name, subject, window_start, most, position)
  left join counters on counters.name = wanted.name collate "C" and counters.subject = wanted.subject collate "C"
    and counters.window_start = wanted.window_start;
  if not taken then
    return;
  end if;
  for i in 1 .. cardinality(names) loop
    insert into counters as counter (name, subject, window_start, count)
    values (names[i], subjects[i], windows[i], 1)
    on conflict on constraint counters_key do update set count = counter.count + 1 where counter.count < maxima[i]
    returning counter.count into new_count;
    if new_count is null then
      counts[i] := maxima[i];
      for j in 1 .. i - 1 loop
        update counters set count = count - 1
        where name = names[j] and subject = subjects[j] and window_start = windows[j];
        counts[j] := counts[j] - 1;
      end loop;
      taken := false;
      return;
    end if;
    counts[i] := new_count;
  end loop;
end
$body$`.execute(db)
}

/** One column a statement, because SQLite adds no more at once. */
async function addSourceChecks(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  const columns: [table: string, column: string, type: ColumnType][] = [
    ['sites', 'source_credential_sealed', text],
    ['sites', 'source_check_at', integer],
    ['index_runs', 'revision', text],
    ['index_runs', 'step', text],
    ['index_runs', 'pages_done', integer],
    ['index_runs', 'pages_total', integer],
  ]
  for (const [table, column, type] of columns) await db.schema.alterTable(table).addColumn(column, type).execute()
  await db.schema.createIndex('sites_by_source_check').on('sites').column('source_check_at').execute()
}
