import { beforeEach, expect, it } from 'vitest'
import { claimDigest, finishDigest, storeDigest, queueDigest } from '../../src/store/digests/digests.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'

/** Weekly digests. */
export function declareDigestTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })
  const now = 1_732_000_000_000
  const times = (from: number) => ({ now: from, leaseUntil: from + 1_000 })
  const digest = {
    siteId: 's',
    slug: 's',
    name: 'S',
    from: '2026-11-16T00:00:00.000Z',
    to: '2026-11-23T00:00:00.000Z',
    questions: { asked: 1, unanswered: 0, askedBefore: 0, unansweredBefore: 0 },
    gaps: { open: 0, top: [] },
    better: { gapsClosed: 0, jobsMerged: 0, suite: null },
    drifted: { found: 0, open: 0, top: [] },
  }

  it('are queued once for each week, claimed by one worker, and told of once although the first one dies', async () => {
    const db = store.durable
    const queue = (weekStart: number) => queueDigest(db, { id: freshId(), siteId: site.id, weekStart, now })
    await Promise.all([queue(1), queue(1), queue(1)])
    let told = 0
    const tell = async () => void told++

    const claims = (await Promise.all([claimDigest(db, times(now)), claimDigest(db, times(now))])).flatMap(
      (claim) => claim ?? [],
    )
    const [dead] = claims
    if (dead === undefined) throw new Error('None was claimed.')
    expect(await storeDigest(db, dead, { digest, tell })).toBe(true)
    const next = await claimDigest(db, times(now + 2_000))

    expect(claims).toHaveLength(1)
    expect(next).toMatchObject({ id: dead.id, digest })
    expect(await storeDigest(db, dead, { digest, tell })).toBe(false)
    expect(await finishDigest(db, dead, null)).toBe(false)
    expect(next !== null && (await finishDigest(db, next, null))).toBe(true)
    await queue(1)
    expect(await claimDigest(db, times(now + 9_000))).toBeNull()
    expect(told).toBe(1)
  })
}
