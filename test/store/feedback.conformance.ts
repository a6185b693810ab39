import { beforeEach, expect, it } from 'vitest'
import { type Feedback, findAnswerThread, listFeedback, saveFeedback } from '../../src/store/answers/feedback.ts'
import { insertMessages, listMessages } from '../../src/store/answers/messages.ts'
import { getProject } from '../../src/store/accounts/projects.ts'
import { deleteThread, removeOldPageFeedback, removeOldThreads } from '../../src/store/answers/remove-threads.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import { emptyStore, freshId, sampleMessage, sampleThread, seedSite, type StoreHarness } from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'
import { listThreads, saveThreads } from '../../src/store/answers/threads.ts'

export function declareFeedbackTests(harness: StoreHarness): void {
  let store: Store
  let site: Site

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })

  async function storeAnswer(change: { updatedAt?: number } = {}) {
    const thread = sampleThread(site.id, change)
    const answer = sampleMessage(thread)
    const question = sampleMessage(thread, { role: 'user' })
    await saveThreads(store.durable, [thread])
    await insertMessages(store.durable, [question, answer])
    return { thread, answer, question }
  }

  async function give(messageId: string, threadId: string, change: Partial<Feedback> = {}): Promise<Feedback> {
    const base = { id: freshId(), siteId: site.id, threadId, messageId, path: null, fp: 'reader', isHelpful: false }
    return saveFeedback(store.durable, {
      ...base,
      reason: 'outdated',
      note: null,
      createdAt: 5,
      updatedAt: 5,
      ...change,
    })
  }

  const list = async (more: object = {}) => {
    const project = await getProject(store.durable, site.projectId)
    return listFeedback(store.durable, { organizationId: project?.organizationId ?? '', limit: 10, ...more })
  }

  it('finds the thread only of an answer of the site', async () => {
    const { thread, answer, question } = await storeAnswer()

    expect(await findAnswerThread(store.durable, site.id, answer.id)).toBe(thread.id)
    expect(await findAnswerThread(store.durable, site.id, question.id)).toBeNull()
    expect(await findAnswerThread(store.durable, 'other-site', answer.id)).toBeNull()
  })

  it('keeps one feedback per reader and message, the latest', async () => {
    const { thread, answer } = await storeAnswer()

    const first = await give(answer.id, thread.id)
    const changed = await give(answer.id, thread.id, {
      isHelpful: true,
      reason: null,
      note: 'Now it is.',
      updatedAt: 9,
    })
    const other = await give(answer.id, thread.id, { fp: 'other' })

    expect(changed).toEqual({ ...first, isHelpful: true, reason: null, note: 'Now it is.', updatedAt: 9 })
    expect((await list()).items).toEqual([other, changed])
  })

  it('lists feedback newest first, in pages, by site and rating, of one organization', async () => {
    const { thread, answer } = await storeAnswer()
    const all: Feedback[] = []
    for (const fp of ['a', 'b', 'c']) all.unshift(await give(answer.id, thread.id, { fp, isHelpful: fp === 'b' }))

    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor })

    expect([...first.items, ...second.items]).toEqual(all)
    expect(second.nextCursor).toBeNull()
    expect((await list({ isHelpful: true })).items.map(({ fp }) => fp)).toEqual(['b'])
    expect((await list({ siteId: 'other' })).items).toEqual([])
    expect((await list({ organizationId: 'other' })).items).toEqual([])
  })

  it('deletes a thread with its messages and feedback', async () => {
    const { thread, answer } = await storeAnswer()
    const kept = await storeAnswer()
    await give(answer.id, thread.id)
    await give(kept.answer.id, kept.thread.id)

    expect(await deleteThread(store.durable, site.id, thread.id)).toBe(true)

    expect(await deleteThread(store.durable, site.id, thread.id)).toBe(false)
    expect((await listMessages(store.durable, site.id, thread.id, { limit: 5 })).items).toEqual([])
    expect((await list()).items.map(({ threadId }) => threadId)).toEqual([kept.thread.id])
  })

  it('stores one feedback for each page and reader, and removes old ones alone', async () => {
    const { thread, answer } = await storeAnswer()
    await give(answer.id, thread.id)
    const ofPage = { messageId: null, threadId: null, path: '/install' }
    await give('', '', { ...ofPage, isHelpful: true, note: 'Good.' })

    const again = await give('', '', { ...ofPage, note: 'Outdated.', updatedAt: 9 })
    await give('', '', { ...ofPage, fp: 'other', updatedAt: 20 })

    expect(again).toMatchObject({ isHelpful: false, note: 'Outdated.', createdAt: 5, updatedAt: 9 })
    expect((await list({ about: 'page' })).items.map(({ fp }) => fp)).toEqual(['other', 'reader'])
    expect((await list({ about: 'answer' })).items.map(({ messageId }) => messageId)).toEqual([answer.id])
    await removeOldPageFeedback(store.durable, 10)
    expect((await list()).items.map(({ fp, path }) => [fp, path])).toEqual([
      ['other', '/install'],
      ['reader', null],
    ])
  })

  it('removes threads last answered before a given time, oldest first, in batches', async () => {
    const threads = []
    for (const updatedAt of [300, 100, 200, 400]) threads.push((await storeAnswer({ updatedAt })).thread)

    const removed = [
      await removeOldThreads(store.durable, 400, 2),
      await removeOldThreads(store.durable, 400, 2),
      await removeOldThreads(store.durable, 400, 2),
    ]

    expect(removed).toEqual([2, 1, 0])
    const left = await listThreads(store.durable, site.id, { limit: 5 })
    expect(left.items.map(({ updatedAt }) => updatedAt)).toEqual([400])
  })
}
