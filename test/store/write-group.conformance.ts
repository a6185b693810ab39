import { beforeEach, describe, expect, it } from 'vitest'
import { listMessages } from '../../src/store/answers/messages.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, sampleMessage, sampleThread, seedSite, type StoreHarness } from './store-samples.ts'
import { getThread, type Thread } from '../../src/store/answers/threads.ts'
import type { AnswerRecord } from '../../src/store/answers/write-answers.ts'
import { createWriteGroup } from '../../src/store/write-group.ts'

export function declareWriteGroupTests(harness: StoreHarness): void {
  let store: Store
  let site: Site

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })

  const messagesOf = async (thread: Thread) =>
    (await listMessages(store.durable, thread.siteId, thread.id, { limit: 2_000 })).items

  describe('a write group', () => {
    it('has stored an answer when its promise resolves', async () => {
      const group = createWriteGroup(store, { intervalMs: 2 })
      const record = answer(sampleThread(site.id))

      await group.add(record)

      expect(await messagesOf(record.thread)).toEqual(record.messages)
      expect(await getThread(store.durable, site.id, record.thread.id)).toEqual(record.thread)
      await group.close()
    })

    it('stores many answers in few transactions, and in their order', async () => {
      let transactions = 0
      const counting: Store = {
        ...store,
        durable: new Proxy(store.durable, {
          get(target, property) {
            if (property === 'transaction') transactions += 1
            const value: unknown = Reflect.get(target, property, target)
            return typeof value === 'function' ? value.bind(target) : value
          },
        }),
      }
      const group = createWriteGroup(counting, { intervalMs: 1 })
      const thread = sampleThread(site.id)
      const records = Array.from({ length: 300 }, (_, index) => answer(thread, 1_000 + index * 2))

      await Promise.all(records.map((record) => group.add(record)))

      expect(await messagesOf(thread)).toEqual(records.flatMap(({ messages }) => messages))
      expect(await getThread(store.durable, site.id, thread.id)).toEqual({ ...thread, updatedAt: 1_598 })
      expect(transactions).toBeLessThanOrEqual(4)
      await group.close()
    })

    it('refuses an answer that cannot be stored, and stores the others', async () => {
      const group = createWriteGroup(store, { intervalMs: 1 })
      const good = [answer(sampleThread(site.id)), answer(sampleThread(site.id))]
      const orphan = answer(sampleThread('no-such-site'))
      const [first, second] = good
      if (first === undefined || second === undefined) throw new Error('two were made')
      const repeated: AnswerRecord = { thread: sampleThread(site.id), messages: first.messages }

      const outcomes = await Promise.allSettled([first, orphan, repeated, second].map((each) => group.add(each)))

      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      expect(await messagesOf(second.thread)).toEqual(second.messages)
      // All or nothing per answer: a refused one leaves no thread either.
      expect(await getThread(store.durable, site.id, repeated.thread.id)).toBeNull()
      await group.close()
    })

    it('keeps the key of whoever started a thread, even within one group', async () => {
      const group = createWriteGroup(store, { intervalMs: 1 })
      const thread = sampleThread(site.id)
      const records = ['first', 'second', 'third'].map((keyHash) => answer({ ...thread, keyHash }))

      await Promise.all(records.map((record) => group.add(record)))

      expect((await getThread(store.durable, site.id, thread.id))?.keyHash).toBe('first')
      await group.close()
    })

    it('writes everything before it closes, and refuses later additions', async () => {
      const group = createWriteGroup(store, { intervalMs: 60_000 })
      const records = Array.from({ length: 5 }, () => answer(sampleThread(site.id)))
      const added = records.map((record) => group.add(record))

      await group.close()

      await Promise.all(added)
      for (const { thread, messages } of records) expect(await messagesOf(thread)).toEqual(messages)
      await expect(group.add(answer(sampleThread(site.id)))).rejects.toThrow('Docent is stopping')
    })

    it('refuses immediately when too many answers wait', async () => {
      const group = createWriteGroup(store, { intervalMs: 1, waitingMax: 2 })
      const added = Array.from({ length: 5 }, () => group.add(answer(sampleThread(site.id))))

      const outcomes = await Promise.allSettled(added)

      expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
      expect(outcomes[0]?.status).toBe('fulfilled')
      await group.flush()
      await group.add(answer(sampleThread(site.id)))
      await group.close()
    })
  })
}

function answer(thread: Thread, at = 1_000): AnswerRecord {
  return {
    thread: { ...thread, updatedAt: at },
    messages: [
      sampleMessage(thread, { role: 'user', createdAt: at }),
      sampleMessage(thread, { role: 'assistant', createdAt: at + 1 }),
    ],
  }
}
