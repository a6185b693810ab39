import { beforeEach, describe, expect, it } from 'vitest'
import { listMessages } from '../../src/store/answers/messages.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import { correctSpending, readSpending, reserveSpending, type SpendingPlace } from '../../src/store/counts/spending.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, sampleMessage, sampleThread, seedSite, type StoreHarness } from './store-samples.ts'
import type { Thread } from '../../src/store/answers/threads.ts'
import type { AnswerRecord } from '../../src/store/answers/write-answers.ts'
import { createWriteGroup } from '../../src/store/write-group.ts'

export function declareWriteAnswersTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  let thread: Thread

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
    thread = sampleThread(site.id)
  })

  const write = async (...records: AnswerRecord[]) => {
    const group = createWriteGroup(store, { intervalMs: 1 })
    await Promise.all(records.map((record) => group.add(record)))
    await group.close()
  }
  const listTexts = async (of = thread) =>
    (await listMessages(store.durable, site.id, of.id, { limit: 100 })).items.map(({ text }) => text)

  const answered = (
    question: string,
    answer: string,
    { at, ...more }: Pick<AnswerRecord, 'replaces'> & { at: number },
  ): AnswerRecord => {
    const id = freshId()
    return {
      ...more,
      thread: { ...thread, updatedAt: at },
      messages: [
        sampleMessage(thread, {
          id,
          role: 'user',
          text: question,
          turnKey: `key-${thread.id}-${question}`,
          createdAt: at,
        }),
        sampleMessage(thread, { text: answer, questionId: id, createdAt: at + 1 }),
      ],
    }
  }

  describe('an answer to a question already in its thread', () => {
    it('replaces the previous one, whose row stays for its feedback', async () => {
      const first = answered('q', 'one', { at: 1_000 })
      await write(first)

      await write(answered('q', 'two', { at: 2_000, replaces: 'newest' }))
      await write(answered('q', 'three', { at: 3_000, replaces: 'newest' }))

      expect(await listTexts()).toEqual(['q', 'three'])
      const rows = await store.durable
        .selectFrom('messages')
        .select(['text', 'replacedBy'])
        .orderBy('createdAt')
        .execute()
      expect(rows.filter(({ replacedBy }) => replacedBy !== null).map(({ text }) => text)).toEqual(['one', 'two'])
    })

    it('is a new turn if another question followed, unless it may replace an answer anywhere', async () => {
      await write(answered('q', 'one', { at: 1_000 }))
      await write(answered('r', 'other', { at: 2_000, replaces: 'newest' }))

      await write(answered('q', 'two', { at: 3_000, replaces: 'newest' }))
      expect(await listTexts()).toEqual(['q', 'one', 'r', 'other', 'q', 'two'])

      await write(answered('r', 'another', { at: 4_000, replaces: 'any' }))
      expect(await listTexts()).toEqual(['q', 'one', 'r', 'another', 'q', 'two'])
    })

    it('replaces nothing unless requested, and nothing in other threads', async () => {
      await write(answered('q', 'one', { at: 1_000 }))
      const before = thread
      thread = sampleThread(site.id)
      await write(answered('q', 'elsewhere', { at: 2_000, replaces: 'any' }))
      const other = thread
      thread = before
      await write(answered('q', 'two', { at: 3_000 }))

      expect(await listTexts(before)).toEqual(['q', 'one', 'q', 'two'])
      expect(await listTexts(other)).toEqual(['q', 'elsewhere'])
    })

    it('leaves one current answer when several arrive concurrently', async () => {
      await write(
        ...Array.from({ length: 5 }, (_, index) =>
          answered('q', `a${index}`, { at: 1_000 + index, replaces: 'newest' }),
        ),
      )

      expect(await listTexts()).toEqual(['q', 'a4'])
    })

    const { openReplica } = harness
    if (openReplica === null) return
    it('leaves one current answer when two replicas write concurrently', async () => {
      await write(answered('q', 'one', { at: 1_000 }))
      const replica = await openReplica()
      const groups = [createWriteGroup(store, { intervalMs: 1 }), createWriteGroup(replica, { intervalMs: 1 })]

      await Promise.all(
        groups.map((group, index) => group.add(answered('q', `a${index}`, { at: 2_000 + index, replaces: 'newest' }))),
      )
      for (const group of groups) await group.close()
      await replica.close()

      expect(await listTexts()).toHaveLength(2)
    })
  })

  describe("a site's spending", () => {
    const day = { siteId: 'site_1', windowStart: 86_400_000 }
    const place = { name: 'site-cost', subject: 'site_1', windowStart: 86_400_000 } as const
    const reserve = (amount: number, ceiling: number, other: Partial<SpendingPlace> = {}) =>
      reserveSpending(store.relaxed, { ...place, ...other, amount, ceiling })

    it('is reserved while the total stays within the ceiling, by day, site and unit', async () => {
      const taken = [await reserve(60, 100), await reserve(41, 100), await reserve(40, 100), await reserve(1, 100)]
      const others = [
        await reserve(60, 100, { subject: 'site_2' }),
        await reserve(60, 100, { windowStart: 172_800_000 }),
        await reserve(60, 100, { name: 'site-tokens' }),
      ]

      expect(taken).toEqual([true, false, true, false])
      expect(others).toEqual([true, true, true])
      expect(await readSpending(store.relaxed, day)).toBe(100)
    })

    it('is refused if the first of a day exceeds the ceiling, and under a ceiling of zero', async () => {
      expect([await reserve(101, 100), await reserve(0, 0), await reserve(1, 0)]).toEqual([false, false, false])
      expect(await readSpending(store.relaxed, day)).toBe(0)
    })

    it('is corrected up and down', async () => {
      await reserve(60, 100)

      await correctSpending(store.relaxed, place, -40)
      await correctSpending(store.relaxed, place, 15)

      expect(await readSpending(store.relaxed, day)).toBe(35)
      expect(await readSpending(store.relaxed, { ...day, siteId: 'none' })).toBe(0)
    })

    it('never exceeds the ceiling under any concurrency, even between processes', async () => {
      const replica = (await harness.openReplica?.()) ?? store
      const ask = (index: number) => {
        const { relaxed } = index % 2 === 0 ? store : replica
        return reserveSpending(relaxed, { ...place, amount: 30 + (index % 7), ceiling: 1_000 })
      }

      const taken = await Promise.all(Array.from({ length: 80 }, (_, index) => ask(index)))
      if (replica !== store) await replica.close()

      const sum = taken.reduce((total, isTaken, index) => total + (isTaken ? 30 + (index % 7) : 0), 0)
      expect(await readSpending(store.relaxed, day)).toBe(sum)
      expect(sum).toBeLessThanOrEqual(1_000)
      expect(sum).toBeGreaterThan(1_000 - 36)
    })
  })
}
