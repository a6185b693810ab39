import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../../test/support/start-postgres.ts'
import { silentLog } from '../../telemetry/log.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { createStreamWakes, type StreamWakes } from './stream-wakes.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped wakes on PostgreSQL: ${server.unavailable}\n`)

describe.skipIf('unavailable' in server)('wakes between two processes on PostgreSQL', () => {
  const databaseUrl = 'url' in server ? server.url : ''
  const folder = mkdtempSync(join(tmpdir(), 'docent-wakes-'))
  let store: Store
  let writer: StreamWakes
  let reader: StreamWakes

  beforeAll(async () => {
    store = await openStore({ databaseUrl, folder, log: silentLog })
    writer = await createStreamWakes({ store, log: silentLog, databaseUrl })
    reader = await createStreamWakes({ store, log: silentLog, databaseUrl })
  }, 60_000)
  afterAll(async () => {
    await reader.close()
    await writer.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
    if ('stop' in server) await server.stop()
  }, 30_000)

  /** Sends until the reader hears it, because listening takes a moment to start. */
  async function sendUntil(streamId: string, isHeard: () => boolean): Promise<void> {
    for (let tries = 0; tries < 600 && !isHeard(); tries++) {
      await writer.send([streamId])
      await wait(50)
    }
  }

  it("reach only the answer's readers, until they unsubscribe", async () => {
    const heard = { one: 0, two: 0 }
    const leave = reader.subscribe('one', () => (heard.one += 1))
    reader.subscribe('two', () => (heard.two += 1))

    await sendUntil('one', () => heard.one > 0)
    const before = { ...heard }
    leave()
    await sendUntil('two', () => heard.two > 0)

    expect(before).toEqual({ one: expect.any(Number), two: 0 })
    expect(before.one).toBeGreaterThan(0)
    expect(heard.two).toBeGreaterThan(0)
  }, 60_000)

  it('arrive again after a lost connection', async () => {
    let heard = 0
    reader.subscribe('three', () => (heard += 1))
    await sendUntil('three', () => heard > 0)
    expect(heard).toBeGreaterThan(0)

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docent wakes'`.execute(
      store.durable,
    )
    heard = 0
    await sendUntil('three', () => heard > 0)

    expect(heard).toBeGreaterThan(0)
  }, 60_000)

  it('never reject, whatever happens to the database', async () => {
    const closed = await openStore({ databaseUrl, folder, log: silentLog })
    await closed.close()
    const wakes = await createStreamWakes({ store: closed, log: silentLog, databaseUrl })

    await expect(wakes.send(['one'])).resolves.toBeUndefined()
    await wakes.close()
  })
})
