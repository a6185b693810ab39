import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdSource } from '../../base/ids.ts'
import { claimIndexRun, enqueueIndexRun, finishIndexRun, listIndexRuns } from '../../store/sites/index-runs.ts'
import { openStore } from '../../store/open-store.ts'
import { seedSite } from '../../../test/store/store-samples.ts'
import type { Store } from '../../store/store.ts'
import { silentLog } from '../../telemetry/log.ts'
import { IndexRepairs } from './index-repairs.ts'

let folder: string
let store: Store
let siteId: string
let now = 1_000_000
const clock = { now: () => now }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-repairs-'))
  store = await openStore({ folder })
  siteId = (await seedSite(store)).id
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const create = () => new IndexRepairs({ store, clock, ids: createIdSource(clock), log: silentLog, wake: () => {} })
const countRuns = async () => (await listIndexRuns(store.durable, siteId, { limit: 1_000 })).items.length

/** Processes the queue, without success. */
async function failRun(): Promise<void> {
  const run = await claimIndexRun(store.durable, { now, leaseUntil: now + 30_000 })
  if (run !== null) await finishIndexRun(store.durable, { ...run, failure: 'It is gone.', finishedAt: now })
}

it('requests one repair immediately, however many callers and processes find the damage', async () => {
  const [one, other] = [create(), create()]

  for (let asked = 0; asked < 20; asked++) await Promise.all([one.ask(siteId, 'damaged'), other.ask(siteId, 'damaged')])

  expect(await countRuns()).toBe(1)
})

it('requests no other while one runs', async () => {
  const repairs = create()
  await repairs.ask(siteId, 'damaged')
  await claimIndexRun(store.durable, { now, leaseUntil: now + 3_600_000 })

  now += 3_000_000
  await repairs.ask(siteId, 'damaged')

  expect(await countRuns()).toBe(1)
})

it('retries less and less often while repairs do not help, but never stops', async () => {
  const repairs = create()
  const triedAfterMs: number[] = []
  const startedAt = now
  let before = 0

  for (; now < startedAt + 3_600_000; now += 1_000) {
    await repairs.ask(siteId, 'damaged')
    await failRun()
    const count = await countRuns()
    if (count > before) triedAfterMs.push(now - startedAt)
    before = count
  }

  expect(triedAfterMs.slice(0, 5)).toEqual([0, 5_000, 15_000, 35_000, 75_000])
  expect(triedAfterMs.length).toBeLessThan(15)
  expect(triedAfterMs.at(-1)).toBeGreaterThan(3_600_000 - 11 * 60_000)
}, 60_000)

it('starts over once the site had an intact index', async () => {
  const repairs = create()
  await repairs.ask(siteId, 'damaged')
  await failRun()

  repairs.forget(siteId)
  await repairs.ask(siteId, 'damaged')

  expect(await countRuns()).toBe(2)
})

it('is worked on before all runs that waited longer', async () => {
  const other = await seedSite(store)
  await enqueueIndexRun(store.durable, { id: 'run_0', siteId: other.id, cause: 'sync-requested', createdAt: 1 })

  await create().ask(siteId, 'damaged')
  const first = await claimIndexRun(store.durable, { now, leaseUntil: now + 30_000 })

  expect(first).toMatchObject({ siteId, cause: 'index-unreadable' })
})

it('ignores times from before the clock was set back', async () => {
  const repairs = create()
  now += 30 * 86_400_000
  await repairs.ask(siteId, 'damaged')
  await failRun()

  now -= 30 * 86_400_000
  await repairs.ask(siteId, 'damaged')

  expect(await countRuns()).toBe(2)
})
