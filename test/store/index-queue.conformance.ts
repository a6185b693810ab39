import { beforeEach, describe, expect, it } from 'vitest'
import {
  getCurrentIndexGeneration,
  getServedIndexGeneration,
  listIndexFiles,
  listIndexGenerations,
  type NewIndexGeneration,
  publishIndexGeneration,
  removeOldIndexGenerations,
} from '../../src/store/sites/index-generations.ts'
import {
  claimIndexRun,
  enqueueIndexRun,
  finishIndexRun,
  getIndexRun,
  type IndexRunLane,
  listIndexRuns,
  reportIndexRun,
} from '../../src/store/sites/index-runs.ts'
import { confirmOrigin, needsConfirmation } from '../../src/store/sites/site-confirmations.ts'
import { releaseAllClaims, releaseClaim, renewClaim } from '../../src/store/queue.ts'
import { deleteSite, insertSite, type Site, updateSite } from '../../src/store/sites/sites.ts'
import { triggerSourceCheck, listDueSourceChecks, claimSourceCheck } from '../../src/store/sites/source-checks.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, sampleSite, seedSite, type StoreHarness } from './store-samples.ts'

export function declareIndexQueueTests(harness: StoreHarness): void {
  let store: Store
  let site: Site

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })

  const enqueue = (siteId: string, createdAt = 10) =>
    enqueueIndexRun(store.durable, { id: freshId(), siteId, cause: 'sync-requested', createdAt })
  const claim = (now = 100) => claimIndexRun(store.durable, { now, leaseUntil: now + 30_000 })
  const sampleGeneration = (change: Partial<NewIndexGeneration> = {}): NewIndexGeneration => {
    const id = freshId()
    return {
      id,
      siteId: site.id,
      revision: 'c0ffee',
      file: `${id}.idx`,
      pageCount: 3,
      chunkCount: 12,
      findings: [{ file: 'a.mdx', line: null, rule: 'page-unparsable', message: 'Line 3 does not parse.' }],
      createdAt: 20,
      ...change,
    }
  }
  const publishOne = async (now = 100, change: Partial<NewIndexGeneration> = {}) => {
    await enqueue(site.id)
    const run = await claim(now)
    if (run === null) throw new Error('a run was queued')
    const generation = await publishIndexGeneration(store.durable, run, sampleGeneration(change))
    await finishIndexRun(store.durable, { ...run, failure: null, finishedAt: now })
    if (generation === null) throw new Error('the claim is current')
    return generation
  }

  describe('the queue of index runs', () => {
    it('has one queued run per site, however many are requested concurrently', async () => {
      const runs = await Promise.all(Array.from({ length: 10 }, () => enqueue(site.id)))

      expect(new Set(runs.map(({ id }) => id)).size).toBe(1)
      expect((await listIndexRuns(store.durable, site.id, { limit: 10 })).items).toEqual([runs[0]])
    })

    it('serves each lane its own sites, and all sites to a claim without a lane', async () => {
      const source = { kind: 'crawl', location: 'https://docs.example.com', ref: null, subdirectory: '' } as const
      const crawled = { ...sampleSite(site.projectId), source }
      await insertSite(store.durable, crawled)
      await enqueue(crawled.id, 10)
      await enqueue(site.id, 20)
      const claimIn = (lane: IndexRunLane) => claimIndexRun(store.durable, { now: 100, leaseUntil: 30_100, lane })

      const atHand = await claimIn('at-hand')
      const nothing = await claimIn('at-hand')
      const crawl = await claimIn('crawled')
      await updateSite(store.durable, crawled.id, { source: site.source })
      await releaseAllClaims(store.durable, 'indexRuns', 200)
      const changed = await claimIndexRun(store.durable, { now: 200, leaseUntil: 300, lane: 'at-hand' })

      expect([atHand?.siteId, nothing, crawl?.siteId, changed?.siteId]).toEqual([site.id, null, crawled.id, crawled.id])
    })

    it('serves a claim for some sites no run of another site', async () => {
      const other = sampleSite(site.projectId)
      await insertSite(store.durable, other)
      await enqueue(site.id, 10)
      await enqueue(other.id, 20)
      const claimFor = (...siteIds: string[]) => claimIndexRun(store.durable, { now: 100, leaseUntil: 30_100, siteIds })

      const taken = await claimFor(other.id)
      const nothing = await claimFor(other.id)

      expect([taken?.siteId, nothing]).toEqual([other.id, null])
    })

    it('reclaims a run whose worker died while the clock ran ahead', async () => {
      const run = await enqueue(site.id)
      await claim(30 * 86_400_000)

      expect(await claim(100)).toMatchObject({ id: run.id, attempt: 2 })
    })

    it('queues another run while one is running, and holds it back until that one has ended', async () => {
      await enqueue(site.id)
      const first = await claim()
      const second = await enqueue(site.id, 20)

      expect(second.id).not.toBe(first?.id)
      expect(await claim()).toBeNull()

      await finishIndexRun(store.durable, { id: first?.id ?? '', attempt: 1, failure: null, finishedAt: 50 })
      expect((await claim())?.id).toBe(second.id)
    })

    it('gives each run to one of many concurrent claimants, oldest first', async () => {
      const sites = [site]
      for (let count = 1; count < 8; count += 1) sites.push(sampleSite(site.projectId))
      for (const each of sites.slice(1)) await insertSite(store.durable, each)
      for (const [index, each] of sites.entries()) await enqueue(each.id, 100 - index)

      const oldest = await claim()
      const claims = await Promise.all(Array.from({ length: 20 }, () => claim()))
      const claimed = [oldest, ...claims].filter((run) => run !== null)

      expect(oldest?.siteId).toBe(sites.at(-1)?.id)
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(8)
      expect(claimed).toHaveLength(8)
      expect(claimed.every(({ attempt, state }) => attempt === 1 && state === 'running')).toBe(true)
    })

    it('hands over a run whose lease has expired, to a single claimant', async () => {
      const queued = await enqueue(site.id)
      await claim(100)

      const early = await claim(30_099)
      const late = await Promise.all([30_100, 30_100].map(claim))
      const [taken, ...others] = late.filter((run) => run !== null)

      expect(early).toBeNull()
      expect(others).toEqual([])
      expect(taken).toMatchObject({ id: queued.id, attempt: 2, startedAt: 100, runAt: 60_100 })
    })

    it('hands over running runs immediately when their leases are released', async () => {
      const queued = await enqueue(site.id)
      await claim(100)

      await releaseAllClaims(store.durable, 'indexRuns', 101)

      expect(await claim(101)).toMatchObject({ id: queued.id, attempt: 2 })
    })

    it('are due when they were released for, although a renewal arrives late', async () => {
      const { id } = await enqueue(site.id)
      await claim(100)

      expect(await releaseClaim(store.durable, 'indexRuns', { id, attempt: 1 }, 150)).toBe(true)
      expect(await renewClaim(store.durable, 'indexRuns', { id, attempt: 1 }, 60_000)).toBe(false)
      expect(await claim(150)).toMatchObject({ id, attempt: 2 })
    })

    it('lets only the current claim renew and finish', async () => {
      const { id } = await enqueue(site.id)
      await claim(100)

      expect(await renewClaim(store.durable, 'indexRuns', { id, attempt: 1 }, 200)).toBe(true)
      await claim(200)

      expect(await renewClaim(store.durable, 'indexRuns', { id, attempt: 1 }, 900)).toBe(false)
      expect(await finishIndexRun(store.durable, { id, attempt: 1, failure: null, finishedAt: 1 })).toBe(false)
      expect(await finishIndexRun(store.durable, { id, attempt: 2, failure: 'It broke.', finishedAt: 300 })).toBe(true)
      expect(await finishIndexRun(store.durable, { id, attempt: 2, failure: null, finishedAt: 400 })).toBe(false)
      expect(await getIndexRun(store.durable, id)).toMatchObject({
        state: 'failed',
        failure: 'It broke.',
        finishedAt: 300,
        runAt: null,
      })
    })
  })

  describe('the progress of an index run', () => {
    it('is stored with the run, and only by the current claim', async () => {
      const { id, progress } = await enqueue(site.id)
      await claim(100)
      const step = { step: 'reading', pagesDone: 3, pagesTotal: 9 } as const

      await reportIndexRun(store.relaxed, { id, attempt: 1, progress: step })
      await reportIndexRun(store.relaxed, { id, attempt: 1, revision: 'c0ffee' })
      await reportIndexRun(store.relaxed, { id, attempt: 2, progress: { ...step, pagesDone: 0 }, revision: 'bad' })

      expect(progress).toBeNull()
      expect(await getIndexRun(store.durable, id)).toMatchObject({ progress: step, revision: 'c0ffee' })
    })
  })

  describe('checks of sources', () => {
    const aheadMsMax = 3_600_000

    it('are due immediately for a new site, and then at the scheduled time', async () => {
      const due = await listDueSourceChecks(store.durable, { now: 100, aheadMsMax, limit: 10 })
      const taken = await claimSourceCheck(store.durable, due[0] ?? { siteId: '', dueAt: null }, 500)

      expect({ due, taken }).toEqual({ due: [{ siteId: site.id, dueAt: null }], taken: true })
      expect(await listDueSourceChecks(store.durable, { now: 499, aheadMsMax, limit: 10 })).toEqual([])
      expect(await listDueSourceChecks(store.durable, { now: 500, aheadMsMax, limit: 10 })).toEqual([
        { siteId: site.id, dueAt: 500 },
      ])
    })

    it('are due at once if they were scheduled by a clock that ran ahead', async () => {
      await claimSourceCheck(store.durable, { siteId: site.id, dueAt: null }, 30 * 86_400_000)

      const due = await listDueSourceChecks(store.durable, { now: 100, aheadMsMax, limit: 10 })

      expect(due).toEqual([{ siteId: site.id, dueAt: 30 * 86_400_000 }])
    })

    it('are due immediately again when the source is replaced', async () => {
      await claimSourceCheck(store.durable, { siteId: site.id, dueAt: null }, 500)

      await triggerSourceCheck(store.durable, site.id)

      expect(await listDueSourceChecks(store.durable, { now: 100, aheadMsMax, limit: 10 })).toEqual([
        { siteId: site.id, dueAt: null },
      ])
    })

    it('are claimed by one of many that see the same one due', async () => {
      const takes = (dueAt: number | null, nextAt: number) =>
        Promise.all(
          Array.from({ length: 8 }, () => claimSourceCheck(store.durable, { siteId: site.id, dueAt }, nextAt)),
        )

      expect((await takes(null, 500)).filter(Boolean)).toHaveLength(1)
      expect((await takes(null, 600)).filter(Boolean)).toHaveLength(0)
      expect((await takes(500, 600)).filter(Boolean)).toHaveLength(1)
    })
  })

  describe('a site whose addresses are doubtful', () => {
    const publish = async (addressOrigin: string, isDoubtful = true) => {
      const isWaiting = await needsConfirmation(store.durable, site.id, { isDoubtful, addressOrigin })
      const { number } = await publishOne(100, { isWaiting })
      if (!isWaiting) await confirmOrigin(store.durable, site.id, { addressOrigin })
      return number
    }
    const served = async () => (await getServedIndexGeneration(store.durable, site.id))?.number ?? null

    it('waits for its owner once, and is served from then on', async () => {
      await publish('one')
      const before = await served()
      await confirmOrigin(store.durable, site.id, { addressOrigin: 'one' })
      const confirmed = await served()
      await publish('one')

      expect([before, confirmed, await served()]).toEqual([null, 1, 2])
    })

    it('asks again when its addresses come from elsewhere, and serves what was served before', async () => {
      await publish('one', false)
      await publish('one')
      await publish('two')

      expect(await served()).toBe(2)
    })

    it('stays live if it was live before origins were recorded', async () => {
      await publishOne()

      await publish('one')

      expect(await served()).toBe(2)
    })
  })

  describe('generations of an index', () => {
    it('are numbered from 1 and served newest first', async () => {
      expect(await getCurrentIndexGeneration(store.durable, site.id)).toBeNull()

      const first = await publishOne()
      const second = await publishOne()

      expect([first.number, second.number]).toEqual([1, 2])
      expect(await getCurrentIndexGeneration(store.durable, site.id)).toEqual(second)
      expect(await listIndexGenerations(store.durable, site.id, 10)).toEqual([second, first])
    })

    it('are not published under a claim that was lost, has ended or is for another site', async () => {
      const other = sampleSite(site.projectId)
      await insertSite(store.durable, other)
      const { id } = await enqueue(site.id)
      await claim(100)
      const publish = (attempt: number, siteId = site.id) =>
        publishIndexGeneration(store.durable, { id, attempt }, sampleGeneration({ siteId }))

      expect(await publish(1, other.id)).toBeNull()
      await claim(100_000)
      expect(await publish(1)).toBeNull()
      await finishIndexRun(store.durable, { id, attempt: 2, failure: null, finishedAt: 1 })
      expect(await publish(2)).toBeNull()

      expect(await listIndexGenerations(store.durable, site.id, 10)).toEqual([])
    })

    it('disappear with the transaction that published them', async () => {
      await enqueue(site.id)
      const run = await claim()
      if (run === null) throw new Error('a run was queued')

      const published = store.durable.transaction().execute(async (transaction) => {
        await publishIndexGeneration(transaction, run, sampleGeneration())
        throw new Error('changed my mind')
      })

      await expect(published).rejects.toThrow('changed my mind')
      expect(await getCurrentIndexGeneration(store.durable, site.id)).toBeNull()
    })

    it('are removed oldest first, never the served one, and return their files', async () => {
      const made = [await publishOne(), await publishOne(), await publishOne()]

      const files = await removeOldIndexGenerations(store.durable, site.id, 1)

      expect(new Set(files)).toEqual(new Set([made[0]?.file, made[1]?.file]))
      expect(files).toHaveLength(2)
      expect(await listIndexGenerations(store.durable, site.id, 10)).toEqual([made[2]])
      expect(await listIndexFiles(store.durable)).toEqual([made[2]?.file])
      await expect(removeOldIndexGenerations(store.durable, site.id, 0)).rejects.toThrow(RangeError)
      expect((await publishOne()).number).toBe(4)
    })

    it('are deleted with their site', async () => {
      await publishOne()
      await enqueue(site.id)

      await deleteSite(store.durable, site.id)

      expect(await listIndexFiles(store.durable)).toEqual([])
      expect((await listIndexRuns(store.durable, site.id, { limit: 5 })).items).toEqual([])
    })
  })
}
