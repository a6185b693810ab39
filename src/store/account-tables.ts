import { type Kysely, sql } from 'kysely'
import type { StoreDialect } from './store.ts'

type ColumnType = ReturnType<typeof sql>

/** The tables of accounts: how people sign in, invitations, what was done by whom. A part of the migrations. */
export async function createAccountTables(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const integer = dialect === 'postgres' ? sql`bigint` : sql`integer`
  await addUserColumns(db, text, integer)
  await createSignInTables(db, text, integer)
  await createAuditLog(db, text, integer)
}

/** One column a statement, because SQLite adds no more at once. */
async function addUserColumns(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  const columns: [table: string, column: string, type: ColumnType][] = [
    ['users', 'email', text],
    ['users', 'password_hash', text],
    ['users', 'last_sign_in_at', integer],
    ['sessions', 'idle_until', integer],
  ]
  for (const [table, column, type] of columns) await db.schema.alterTable(table).addColumn(column, type).execute()
  // An address of e-mail alone says who signs in, so that it belongs to one user of the whole installation.
  await db.schema.createIndex('users_by_email').on('users').column('email').unique().execute()
}

async function createSignInTables(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('user_identities')
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('user_identities_key', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('user_identities_by_user').on('user_identities').column('user_id').execute()
  await db.schema
    .createTable('sign_in_attempts')
    .addColumn('subject', text, (column) => column.primaryKey().notNull())
    .addColumn('failures', integer, (column) => column.notNull())
    .addColumn('blocked_until', integer, (column) => column.notNull())
    .addColumn('updated_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_in_attempts_by_update').on('sign_in_attempts').column('updated_at').execute()
  await db.schema
    .createTable('invitations')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('hash', text, (column) => column.notNull().unique())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('email', text)
    .addColumn('invited_by', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addColumn('expires_at', integer, (column) => column.notNull())
    .addColumn('used_at', integer)
    .addColumn('revoked_at', integer)
    .execute()
  await db.schema
    .createIndex('invitations_by_organization')
    .on('invitations')
    .columns(['organization_id', 'id'])
    .execute()
}

async function createAuditLog(db: Kysely<unknown>, text: ColumnType, integer: ColumnType): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('organization_id', text, (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('actor_kind', text, (column) => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('actor_name', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('target_kind', text)
    .addColumn('target_id', text)
    .addColumn('target_name', text)
    .addColumn('changes', text)
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('audit_log_by_organization').on('audit_log').columns(['organization_id', 'id']).execute()
  await db.schema.createIndex('audit_log_by_time').on('audit_log').column('created_at').execute()
}
