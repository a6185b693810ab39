import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { onTestFinished, expect, it } from 'vitest'
import { openStore } from '../open-store.ts'
import { SqliteClient, startSqliteClient } from './sqlite-client.ts'
import { createSqliteDatabase } from './sqlite-dialect.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const statement = { connection: 'durable', parameters: [], isInTransaction: false } as const

async function setup() {
  const client = await startSqliteClient(makeFolder())
  onTestFinished(() => client.close())
  const run = (text: string, parameters: readonly unknown[] = []) => client.run({ ...statement, sql: text, parameters })
  await run('create table words (word text primary key)')
  const db = createSqliteDatabase(client, 'durable')
  return { client, run, db }
}

it('rejects pending and later statements when its worker dies', async () => {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: { folder: makeFolder() } })
  await new Promise((resolve) => worker.once('message', resolve))
  const client = new SqliteClient(worker)
  const pending = Promise.allSettled([client.run({ ...statement, sql: 'select 1' })])

  await worker.terminate()

  expect((await pending)[0]).toMatchObject({
    status: 'rejected',
    reason: {
      code: 'database_unavailable',
      message: 'The embedded database has stopped. Restart Docent; no confirmed write is lost.',
    },
  })
  await expect(client.run({ ...statement, sql: 'select 1' })).rejects.toMatchObject({ code: 'database_unavailable' })
  await expect(client.close()).resolves.toBeUndefined()
})

it('refuses a parameter that cannot be sent, and runs the statements sent with it', async () => {
  const { run } = await setup()
  const insert = (word: unknown) => run('insert into words values (?)', [word])

  const outcomes = await Promise.allSettled([insert('a'), insert(() => 'b'), insert({ c: 1 }), insert('d')])
  const { values } = await run('select word from words order by word')

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(values).toEqual([['a'], ['d']])
})

it('fails each write of a shared commit alone, even if only the commit detects the fault', async () => {
  const { run } = await setup()
  await run('create table pages (id integer primary key)')
  await run('create table links (page integer references pages (id) deferrable initially deferred)')
  await run('insert into pages values (1)')

  const outcomes = await Promise.allSettled([
    run("insert into words values ('a')"),
    run("insert into words values ('a')"),
    run('insert into links values (1)'),
    run('insert into links values (2)'),
    run("insert into words values ('b') returning word"),
  ])

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[4]).toMatchObject({ value: { columns: ['word'], values: [['b']] } })
  expect((await run('select word from words order by word')).values).toEqual([['a'], ['b']])
  expect((await run('select page from links')).values).toEqual([[1]])
})

it('runs writes of both connections and a transaction between them in the order they were sent', async () => {
  const { client, run } = await setup()
  const on = (connection: 'durable' | 'relaxed', text: string, isInTransaction = false) =>
    client.run({ connection, sql: text, parameters: [], isInTransaction })

  await Promise.all([
    on('relaxed', "insert into words values ('1')"),
    on('relaxed', "update words set word = word || '2'"),
    on('durable', "update words set word = word || '3'"),
    on('durable', 'begin immediate'),
    on('durable', "update words set word = word || '4'", true),
    on('durable', 'commit', true),
    on('relaxed', "update words set word = word || '5'"),
  ])

  expect((await run('select word from words')).values).toEqual([['12345']])
})

it("refreshes a prepared statement's columns after a schema change", async () => {
  const { run } = await setup()
  const before = await run('select * from words')

  await run('alter table words add column length integer')

  expect(before.columns).toEqual(['word'])
  expect((await run('select * from words')).columns).toEqual(['word', 'length'])
})

it('ends the transaction of a commit that fails, so that the next one can begin', async () => {
  const { run, db } = await setup()
  await run('create table pages (id integer primary key)')
  await run('create table links (page integer references pages (id) deferrable initially deferred)')

  const failing = db.transaction().execute((transaction) => sql`insert into links values (1)`.execute(transaction))

  await expect(failing).rejects.toThrow('FOREIGN KEY constraint failed')
  await db.transaction().execute((transaction) => sql`insert into pages values (1)`.execute(transaction))
  expect((await run('select count(*) from links')).values).toEqual([[0]])
  expect((await run('select count(*) from pages')).values).toEqual([[1]])
})

it('commits nothing of a transaction that SQLite itself rolled back', async () => {
  const { run, db } = await setup()
  await run("insert into words values ('there')")

  const transaction = db.transaction().execute(async (inside) => {
    await sql`insert into words values ('first')`.execute(inside)
    await sql`insert or rollback into words values ('there')`.execute(inside).catch(() => undefined)
    await sql`insert into words values ('second')`.execute(inside)
  })

  await expect(transaction).rejects.toThrow('The transaction was rolled back by an earlier failure')
  expect((await run('select word from words')).values).toEqual([['there']])
})

it.each(['lock.db', 'docent.db', 'docent.db-wal'])(
  'confirms no write while %s is gone or another file, and goes on once it is back',
  async (name) => {
    const folder = makeFolder()
    const client = await startSqliteClient(folder)
    onTestFinished(() => client.close())
    const db = createSqliteDatabase(client, 'durable')
    await sql`create table words (word text primary key)`.execute(db)
    const insert = (word: string) => sql`insert into words values (${word})`.execute(db)
    const list = async () => (await sql`select word from words`.execute(db)).rows
    await list()
    const moved = { code: 'database_unavailable', fault: 'moved' }

    const open = db.transaction().execute(async (transaction) => {
      await sql`insert into words values ('begun')`.execute(transaction)
      renameSync(join(folder, name), join(folder, 'elsewhere'))
    })
    await expect(open).rejects.toMatchObject(moved)
    await expect(insert('gone')).rejects.toMatchObject(moved)
    writeFileSync(join(folder, name), '')
    await expect(insert('other')).rejects.toMatchObject(moved)
    const before = await list()
    renameSync(join(folder, 'elsewhere'), join(folder, name))
    await insert('back')

    expect(before).toEqual([])
    expect(await list()).toEqual([{ word: 'back' }])
  },
)

it('says what to do when the database or its folder cannot be used', async () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'docent.db'), 'This is a text, and longer than the header of a database. '.repeat(100))

  await expect(openStore({ folder })).rejects.toThrow(
    `The database ${join(folder, 'docent.db')} is damaged or no database, so nothing was changed.`,
  )
  await expect(openStore({ folder: join(folder, 'docent.db', 'below') })).rejects.toThrow(
    'Set DOCENT_DATA to a folder that this user can write to.',
  )
})
