import { beforeEach, describe, expect, it } from 'vitest'
import { publishIndexGeneration } from '../../src/store/sites/index-generations.ts'
import { claimIndexRun, enqueueIndexRun, finishIndexRun } from '../../src/store/sites/index-runs.ts'
import { listBusyProjects, listSiteSpendings, readSiteFacts } from '../../src/store/facts/metric-facts.ts'
import { readQueueDepths } from '../../src/store/facts/queue-depths.ts'
import { insertSite, type Site } from '../../src/store/sites/sites.ts'
import { reserveSpending } from '../../src/store/counts/spending.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, sampleSite, seedSite, type StoreHarness } from './store-samples.ts'

export function declareMetricFactTests(harness: StoreHarness): void {
  let store: Store
  let site: Site

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })

  const enqueue = (siteId: string, createdAt: number) =>
    enqueueIndexRun(store.durable, { id: freshId(), siteId, cause: 'sync-requested', createdAt })

  async function sync(failure: string | null, pageCount: number): Promise<void> {
    const run = await claimIndexRun(store.durable, { now: 100, leaseUntil: 30_100 })
    if (run === null) throw new Error('a run was queued')
    const id = freshId()
    const built = { revision: 'c0ffee', file: `${id}.sqlite`, chunkCount: 1, findings: [], createdAt: 100 }
    if (failure === null) {
      await publishIndexGeneration(store.durable, run, { id, siteId: run.siteId, pageCount, ...built })
    }
    await finishIndexRun(store.durable, { ...run, failure, finishedAt: 100 })
  }

  describe('facts for metrics', () => {
    it('report per queue what waits, what runs and since when the oldest has waited', async () => {
      const second = sampleSite(site.projectId)
      const third = sampleSite(site.projectId)
      for (const each of [second, third]) await insertSite(store.durable, each)
      for (const [index, { id }] of [site, second, third].entries()) await enqueue(id, 10 + index)
      await claimIndexRun(store.durable, { now: 100, leaseUntil: 30_100 })

      const facts = await readQueueDepths(store.durable, { now: 100 })

      expect(facts).toEqual([
        { name: 'syncs', waiting: 2, running: 1, oldestAt: 11 },
        { name: 'jobs', waiting: 0, running: 0, oldestAt: null },
        { name: 'comparisons', waiting: 0, running: 0, oldestAt: null },
        { name: 'drift-checks', waiting: 0, running: 0, oldestAt: null },
        { name: 'digests', waiting: 0, running: 0, oldestAt: null },
        { name: 'webhooks', waiting: 0, running: 0, oldestAt: null },
        { name: 'webhook-sends', waiting: 0, running: 0, oldestAt: null },
        { name: 'bot-events', waiting: 0, running: 0, oldestAt: null },
      ])
    })

    it('report how many sites fail, how many have no index, and what the largest serve', async () => {
      const small = sampleSite(site.projectId)
      const broken = sampleSite(site.projectId)
      await enqueue(site.id, 10)
      await sync(null, 7)
      await insertSite(store.durable, small)
      await enqueue(small.id, 10)
      await sync(null, 3)
      await insertSite(store.durable, broken)
      await enqueue(broken.id, 10)
      await sync('The source cannot be read.', 0)

      const facts = await readSiteFacts(store.durable, 1)

      expect(facts).toEqual({
        sites: 3,
        failing: 1,
        withoutIndex: 1,
        largest: [{ slug: site.slug, number: 1, pageCount: 7, createdAt: 100 }],
      })
    })

    it('report what sites have spent in a window, with their settings', async () => {
      const reserve = { name: 'site-cost', subject: site.id, windowStart: 1_000, ceiling: 10_000 } as const
      await reserveSpending(store.relaxed, { ...reserve, amount: 2_500 })
      await reserveSpending(store.relaxed, { ...reserve, windowStart: 2_000, amount: 1 })

      const [spending, ...others] = await listSiteSpendings(store.relaxed, { windowStart: 1_000, limit: 10 })

      expect(others).toEqual([])
      expect(spending?.microUsd).toBe(2_500)
      expect(spending?.settings).toEqual(site.settings)
      expect(await listBusyProjects(store.durable, { since: 0, limit: 10 })).toEqual([])
    })
  })
}
