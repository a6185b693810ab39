import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../test/support/start-postgres.ts'
import { silentLog } from '../telemetry/log.ts'
import { consumeLimits } from './counts/counters.ts'
import { setInstallationValue } from './installation.ts'
import { openStore } from './open-store.ts'
import { declareStoreTests } from '../../test/store/store.conformance.ts'
import type { Store } from './store.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped the store on PostgreSQL: ${server.unavailable}\n`)

function open(): Promise<Store> {
  return openStore({ databaseUrl: 'url' in server ? server.url : '', folder: tmpdir(), log: silentLog })
}

describe.skipIf('unavailable' in server)('the store on PostgreSQL', () => {
  let store: Store

  beforeAll(async () => {
    // Several concurrently, as replicas start: each must find or create the tables.
    const opened = await Promise.all([open(), open(), open(), open()])
    const [first, ...others] = opened
    if (first === undefined) throw new Error('four were opened')
    for (const other of others) await other.close()
    store = first
  }, 30_000)

  afterAll(async () => {
    await store.close()
    if ('stop' in server) await server.stop()
  }, 30_000)

  declareStoreTests({
    store: () => store,
    openReplica: open,
    reopen: async () => (store = await open()),
  })

  it('undoes its counts when a limit runs out while it waits for the lock', async () => {
    const wide = { name: 'a-wide', subject: 'race', windowStart: 0, max: 9 }
    const narrow = { name: 'b-narrow', subject: 'race', windowStart: 0, max: 1 }

    const taken = await store.durable.transaction().execute(async (transaction) => {
      await consumeLimits({ ...store, relaxed: transaction }, [narrow])
      const waiting = consumeLimits(store, [wide, narrow])
      while (!(await isAnyoneWaiting(store))) await store.ping()
      return { waiting }
    })

    expect(await taken.waiting).toEqual({ taken: false, refusedBy: 1, counts: [0, 1] })
    expect(await consumeLimits(store, [wide])).toEqual({ taken: true, counts: [1] })
  })

  it('survives when the server ends its connections, and reports it to their users', async () => {
    await store.ping()

    await endOtherConnections(store)

    // The pool may still hand out each connection once whose end has not arrived yet.
    const failures: unknown[] = []
    const findFailure = () =>
      store.ping().then(
        () => null,
        (error: unknown) => error,
      )
    for (let failure = await findFailure(); failure !== null && failures.length < 100; failure = await findFailure()) {
      failures.push(failure)
    }
    await expect(store.ping()).resolves.toBeUndefined()
    for (const failure of failures) expect(failure).toMatchObject({ code: 'database_unavailable' })
  })

  it('distinguishes a read-only database from a statement error, and accepts writes again afterwards', async () => {
    const writing = store.durable.transaction().execute(async (transaction) => {
      await sql`set transaction read only`.execute(transaction)
      await setInstallationValue(transaction, 'written', '1')
    })

    await expect(writing).rejects.toMatchObject({ code: 'database_unavailable', fault: 'read-only' })
    await expect(setInstallationValue(store.durable, 'written', '1')).resolves.toBeUndefined()
  })

  it('refuses to open if no server listens', async () => {
    const refused = openStore({ databaseUrl: 'postgres://docent@127.0.0.1:1/docent', folder: tmpdir(), log: silentLog })

    await expect(refused).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(/DATABASE_URL cannot be used: .*ECONNREFUSED/u),
    })
  })
})

async function isAnyoneWaiting(store: Store): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where not granted`.execute(store.durable)
  return rows.length > 0
}

async function endOtherConnections(store: Store): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(store.relaxed)
}
