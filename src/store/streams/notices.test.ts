import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres } from '../../../test/support/start-postgres.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createNotices, type Notices } from './notices.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped notices on PostgreSQL: ${server.unavailable}\n`)

describe.skipIf('unavailable' in server)('notices between two processes on PostgreSQL', () => {
  const databaseUrl = 'url' in server ? server.url : ''
  const folder = mkdtempSync(join(tmpdir(), 'docent-notices-'))
  let store: Store
  let one: Notices
  let other: Notices

  beforeAll(async () => {
    store = await openStore({ databaseUrl, folder, log: silentLog })
    one = await createNotices({ store, log: silentLog, databaseUrl, sender: 'one' })
    other = await createNotices({ store, log: silentLog, databaseUrl, sender: 'other' })
  }, 60_000)
  afterAll(async () => {
    await one.close()
    await other.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
    if ('stop' in server) await server.stop()
  }, 30_000)

  /** Sends until it is heard, because listening takes a moment to start. */
  async function sendUntil(text: string, isHeard: () => boolean): Promise<void> {
    for (let tries = 0; tries < 600 && !isHeard(); tries++) {
      await one.send(text)
      await wait(50)
    }
  }

  it('reach the other process unchanged, and a lost connection is reported as a gap', async () => {
    const heard = { one: [] as string[], other: [] as string[], gaps: 0 }
    one.listen(
      (text) => heard.one.push(text),
      () => undefined,
    )
    other.listen(
      (text) => heard.other.push(text),
      () => (heard.gaps += 1),
    )
    await sendUntil('{"a": "b c"}', () => heard.other.length > 0)
    const gapsBefore = heard.gaps
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'docent notices'`.execute(
      store.relaxed,
    )
    await sendUntil('again', () => heard.gaps > gapsBefore && heard.other.includes('again'))

    expect(heard.other[0]).toBe('{"a": "b c"}')
    expect(heard.other).toContain('again')
    expect(heard.one).toEqual([])
    expect(heard.gaps).toBeGreaterThan(gapsBefore)
  }, 60_000)
})

it('are neither sent nor received on an embedded database', async () => {
  const notices = await createNotices({ store: null as never, log: silentLog, databaseUrl: undefined, sender: 'one' })

  notices.listen(
    () => expect.unreachable(),
    () => expect.unreachable(),
  )

  await expect(notices.send('x')).resolves.toBeUndefined()
  await expect(notices.close()).resolves.toBeUndefined()
})
