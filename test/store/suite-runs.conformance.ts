import { beforeEach, expect, it } from 'vitest'
import type { Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { claimSuiteRun, finishSuiteRun, getSuiteResults, listSuiteRuns } from '../../src/store/suite/suite-runs.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'

/** Results of a site's tests. */
export function declareSuiteRunTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })
  const claimAt = (claimedAt: number, generationId = 'one') => ({
    id: freshId(),
    siteId: site.id,
    generationId,
    revision: 'r',
    claimedAt,
  })
  const failed = {
    question: 'a',
    version: null,
    verdict: 'unanswered',
    failures: [{ expectation: 'answered' as const, message: 'No.' }],
  }
  const passed = { question: 'b', version: 'v1', verdict: 'supported', failures: [] }

  it('are written by one worker per index, and by another after the first has died', async () => {
    const db = store.durable
    const [dead, next] = [claimAt(10), claimAt(500)]

    const claims = await Promise.all([dead, claimAt(11)].map((claim) => claimSuiteRun(db, claim, 0)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await claimSuiteRun(db, next, 5)).toBe(false)
    expect(await listSuiteRuns(db, site.id, 10)).toEqual([])
    expect(await claimSuiteRun(db, next, 400)).toBe(true)
    await finishSuiteRun(db, dead, { results: [], now: 510 })
    await finishSuiteRun(db, next, { results: [failed, passed], now: 520 })
    await finishSuiteRun(db, next, { results: [], now: 530 })
    expect(await claimSuiteRun(db, claimAt(10_000), 9_999)).toBe(false)

    const [run, ...others] = await listSuiteRuns(db, site.id, 10)
    expect(others).toEqual([])
    expect(run).toMatchObject({ revision: 'r', passed: 1, total: 2 })
    expect(await getSuiteResults(db, run?.id ?? '')).toEqual([failed, passed])
  })

  it('are claimed again after a clock that ran ahead was corrected', async () => {
    const db = store.durable
    const day = 86_400_000

    await claimSuiteRun(db, claimAt(30 * day, 'claimed ahead'), 29 * day)

    expect(await claimSuiteRun(db, claimAt(10 * day, 'claimed ahead'), 9 * day)).toBe(true)
    expect(await claimSuiteRun(db, claimAt(10 * day + 10, 'claimed ahead'), 9 * day)).toBe(false)
  })

  it('are listed newest first, and the oldest of many are removed', async () => {
    const db = store.durable
    for (let index = 0; index < 205; index++) {
      const claim = { ...claimAt(index, `generation ${index}`), id: `run_${String(index).padStart(4, '0')}` }
      await claimSuiteRun(db, claim, 0)
      await finishSuiteRun(db, claim, { results: [], now: index })
    }

    const runs = await listSuiteRuns(db, site.id, 1_000)
    expect(runs).toHaveLength(200)
    expect(runs[0]?.id).toBe('run_0204')
  })
}
