import { beforeEach, describe, expect, it } from 'vitest'
import {
  addCounts,
  returnLimits,
  type LimitTake,
  removeOldCounters,
  consumeLimits,
  type TakeResult,
} from '../../src/store/counts/counters.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, type StoreHarness } from './store-samples.ts'

export function declareCounterTests(harness: StoreHarness): void {
  let store: Store

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
  })

  describe('limits', () => {
    it('count every use and return the counts in the order of the request', async () => {
      const limits = [limit('organization', 9), limit('key', 9), limit('address', 9)]

      await consumeLimits(store, [limit('key', 9)])
      const result = await consumeLimits(store, limits)

      expect(result).toEqual({ taken: true, counts: [1, 2, 1] })
    })

    it('allow exactly the maximum, and report which limit refuses', async () => {
      const limits = [limit('wide', 100), limit('narrow', 2)]

      const results = [
        await consumeLimits(store, limits),
        await consumeLimits(store, limits),
        await consumeLimits(store, limits),
      ]

      expect(results).toEqual([
        { taken: true, counts: [1, 1] },
        { taken: true, counts: [2, 2] },
        { taken: false, refusedBy: 1, counts: [2, 2] },
      ])
    })

    it('count nothing on any limit when one refuses, whatever its position', async () => {
      await consumeLimits(store, [limit('used-up', 1)])
      const refusing = limit('used-up', 1)

      for (const limits of [
        [refusing, limit('a', 9), limit('z', 9)],
        [limit('a', 9), refusing, limit('z', 9)],
        [limit('z', 9), limit('a', 9), refusing],
      ]) {
        const result = await consumeLimits(store, limits)
        expect(result).toMatchObject({ taken: false, refusedBy: limits.indexOf(refusing) })
      }

      expect(await consumeLimits(store, [limit('a', 9), limit('z', 9)])).toEqual({ taken: true, counts: [1, 1] })
    })

    it('give back one use of each, and never more than were counted', async () => {
      const limits = [limit('organization', 2), limit('address', 9)]
      await consumeLimits(store, limits)
      await consumeLimits(store, limits)

      await returnLimits(store.relaxed, limits)
      const again = await consumeLimits(store, limits)
      for (let count = 0; count < 5; count++) await returnLimits(store.relaxed, limits)

      expect(again).toEqual({ taken: true, counts: [2, 2] })
      expect(await consumeLimits(store, limits)).toEqual({ taken: true, counts: [1, 1] })
    })

    it("count in the caller's transaction, or not at all", async () => {
      const failing = store.durable.transaction().execute(async (transaction) => {
        await consumeLimits(store, [limit('job', 9)], transaction)
        throw new Error('The rest could not be written.')
      })

      await expect(failing).rejects.toThrow('could not be written')
      expect(await consumeLimits(store, [limit('job', 9)])).toEqual({ taken: true, counts: [1] })
    })

    it('refuse everything where the maximum is 0, and nothing where none is asked', async () => {
      expect(await consumeLimits(store, [limit('never', 0)])).toEqual({ taken: false, refusedBy: 0, counts: [0] })
      expect(await consumeLimits(store, [])).toEqual({ taken: true, counts: [] })
    })

    it('are separate per name, subject and window', async () => {
      const others = [
        limit('other', 1),
        limit('key', 1, { subject: 'other' }),
        limit('key', 1, { windowStart: 1_732_003_600_000 }),
      ]
      await consumeLimits(store, [limit('key', 1)])

      const results = await Promise.all(others.map((other) => consumeLimits(store, [other])))

      expect(results).toEqual(others.map(() => ({ taken: true, counts: [1] })))
    })

    it('are exact under 200 concurrent calls over several replicas', async () => {
      const replica = (await harness.openReplica?.()) ?? store
      const narrow = limit('narrow', 60)
      // Two orders and two partners, so that the calls interleave in every way.
      const mixes = [
        [narrow, limit('left', 1_000)],
        [limit('right', 1_000), narrow],
        [limit('right', 1_000), limit('left', 1_000), narrow],
      ]

      const takes = Array.from({ length: 200 }, (_, index) =>
        consumeLimits(index % 2 === 0 ? store : replica, mixes[index % mixes.length] ?? []),
      )
      const results = await Promise.all(takes)

      const takenBy = (mix: number) => results.filter((result, index) => index % 3 === mix && isTaken(result)).length
      expect(results.filter(isTaken)).toHaveLength(60)
      const after = await consumeLimits(store, [limit('left', 1_000), limit('right', 1_000)])
      expect(after.counts).toEqual([takenBy(0) + takenBy(2) + 1, takenBy(1) + takenBy(2) + 1])
      if (replica !== store) await replica.close()
    })

    it('add uses that were allowed without a check, even beyond the limit', async () => {
      await consumeLimits(store, [limit('key', 9)])

      const { name, subject, windowStart } = limit('key', 9)
      const others = Array.from({ length: 450 }, (_, index) => ({ name, subject: `${index}`, windowStart, count: 1 }))
      await addCounts(store.relaxed, [{ name, subject, windowStart, count: 12 }, ...others])

      expect(await consumeLimits(store, [limit('key', 9)])).toEqual({ taken: false, refusedBy: 0, counts: [13] })
      expect((await consumeLimits(store, [limit('key', 9, { subject: '449' })])).counts).toEqual([2])
    })

    it('delete the windows that started before a given time, and no others', async () => {
      await consumeLimits(store, [limit('key', 9, { windowStart: 100 }), limit('key', 9, { windowStart: 200 })])

      await removeOldCounters(store.relaxed, 200)

      const after = await consumeLimits(store, [
        limit('key', 9, { windowStart: 100 }),
        limit('key', 9, { windowStart: 200 }),
      ])
      expect(after.counts).toEqual([1, 2])
    })
  })
}

function limit(name: string, max: number, change: Partial<LimitTake> = {}): LimitTake {
  return { name, subject: 'subject', windowStart: 1_732_000_000_000, max, ...change }
}

function isTaken(result: TakeResult): boolean {
  return result.taken
}
