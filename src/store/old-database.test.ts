import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../test/support/start-postgres.ts'
import { openStore } from './open-store.ts'
import { createPostgresPool } from './postgres/postgres-pool.ts'
import { createPostgresDatabase } from './row-codec.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped an old database on PostgreSQL: ${server.unavailable}\n`)

afterAll(async () => {
  if ('stop' in server) await server.stop()
})

const refusal = /older, unreleased version of Docent.*nothing was changed.*new data folder.*empty database/u

/** The tables of a version before the first release. */
const statements = [
  'create table docent_migrations (name varchar(255) primary key, timestamp varchar(255) not null)',
  "insert into docent_migrations values ('0001_first_tables', 'then'), ('0002_take_limits', 'then')",
  'create table organizations (id text primary key, name text not null, created_at integer not null)',
  "insert into organizations values ('default', 'Default', 1)",
]

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function sumFiles(folder: string): string[] {
  const sum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  // Reading leaves an empty log next to the file.
  const names = readdirSync(folder).filter((name) => !/-(?:shm|wal)$/u.test(name))
  return names.map((name) => `${name} ${sum(name)}`)
}

it('refuses the folder of an unreleased version, says what to do, and changes no byte of it', async () => {
  const folder = makeFolder()
  const database = new DatabaseSync(join(folder, 'docent.db'))
  database.exec(['pragma journal_mode = wal', ...statements].join(';'))
  database.close()
  const before = sumFiles(folder)

  await expect(openStore({ folder })).rejects.toThrow(refusal)

  expect(sumFiles(folder)).toEqual(before)
})

it.skipIf('unavailable' in server)(
  'refuses a PostgreSQL database of an unreleased version, and changes nothing in it',
  async () => {
    const databaseUrl = 'url' in server ? server.url : ''
    const pool = createPostgresPool({ databaseUrl, connectionsMax: 1, isDurable: true, onConnectionLost: () => {} })
    const db = createPostgresDatabase(pool)
    for (const statement of statements) await sql.raw(statement).execute(db)
    const readTables = async () =>
      (await sql`select tablename from pg_tables where schemaname = 'public' order by 1`.execute(db)).rows
    const before = await readTables()

    await expect(openStore({ databaseUrl, folder: makeFolder() })).rejects.toThrow(refusal)

    expect(await readTables()).toEqual(before)
    await db.destroy()
  },
)
