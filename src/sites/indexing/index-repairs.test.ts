import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdSource } from '../../base/ids.ts'
import { claimIndexRun, enqueueIndexRun, finishIndexRun, listIndexRuns } from '../../store/sites/index-runs.ts'
import { openStore } from '../../store/open-store.ts'
import { seedSite } from '../../store/conformance/store-samples.conformance.ts'
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

/** Works the queue off, without success. */
async function failRun(): Promise<void> {
  const run = await claimIndexRun(store.durable, { now, leaseUntil: now + 30_000 })
  if (run !== null) await finishIndexRun(store.durable, { ...run, failure: 'It is gone.', finishedAt: now })
}

it('asks for one repair at once, however many find the damage, in however many processes', async () => {
  const [one, other] = [create(), create()]

  for (let asked = 0; asked < 20; asked++) await Promise.all([one.ask(siteId, 'damaged'), other.ask(siteId, 'damaged')])

  expect(await countRuns()).toBe(1)
})

it('asks for no other while one runs', async () => {
  const repairs = create()
  await repairs.ask(siteId, 'damaged')
  await claimIndexRun(store.durable, { now, leaseUntil: now + 3_600_000 })

  now += 3_000_000
  await repairs.ask(siteId, 'damaged')

  expect(await countRuns()).toBe(1)
})

it('tries ever more seldom what does not help, and goes on trying', async () => {
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

it('begins anew once the site had a whole index', async () => {
  const repairs = create()
  await repairs.ask(siteId, 'damaged')
  await failRun()

  repairs.forget(siteId)
  await repairs.ask(siteId, 'damaged')

  expect(await countRuns()).toBe(2)
})

it('is worked on before everything that waited longer', async () => {
  const other = await seedSite(store)
  await enqueueIndexRun(store.durable, { id: 'run_0', siteId: other.id, cause: 'sync-requested', createdAt: 1 })

  await create().ask(siteId, 'damaged')
  const first = await claimIndexRun(store.durable, { now, leaseUntil: now + 30_000 })

  expect(first).toMatchObject({ siteId, cause: 'index-unreadable' })
})

it('waits for no time that a clock had shown before it was set back', async () => {
  const repairs = create()
  now += 30 * 86_400_000
  await repairs.ask(siteId, 'damaged')
  await failRun()

  now -= 30 * 86_400_000
  await repairs.ask(siteId, 'damaged')

  expect(await countRuns()).toBe(2)
})
