import { beforeEach, expect, it } from 'vitest'
import { insertKey } from '../../src/store/accounts/keys.ts'
import { getProject } from '../../src/store/accounts/projects.ts'
import { deleteSite, type Site } from '../../src/store/sites/sites.ts'
import { emptyStore, sampleKey, seedSite, type StoreHarness } from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'
import {
  getStreamChat,
  insertStreamPieces,
  listStreamPieces,
  markStreamRead,
  removeEndedStreams,
  requestStreamStop,
  saveStreamChats,
  type StreamChat,
} from '../../src/store/streams/stream-events.ts'

export function declareStreamTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  let keyId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
    const project = await getProject(store.durable, site.projectId)
    const key = sampleKey(project?.organizationId ?? '', { kind: 'assistant', siteId: site.id })
    await insertKey(store.durable, key)
    keyId = key.id
  })

  const chat = (change: Partial<StreamChat> = {}): StreamChat => ({
    keyId,
    chatId: 'chat "1"\u2028',
    address: '203.0.113.7',
    fp: 'reader',
    isShared: false,
    streamId: '01B',
    audience: '[false]',
    aliveAt: 1_000,
    keptUntil: null,
    ...change,
  })
  const piece = (seq: number, change: { streamId?: string; isLast?: boolean } = {}) => {
    const { chatId, streamId } = chat()
    return { keyId, chatId, streamId, seq, text: `data: ${seq} 🦉\n\n`, isLast: false, ...change }
  }
  const stored = () => getStreamChat(store.durable, keyId, chat().chatId)

  it('come back as they were written, pieces in their order', async () => {
    const [state] = await saveStreamChats(store.relaxed, [chat()])
    await insertStreamPieces(store.relaxed, [piece(1), piece(0), piece(2, { isLast: true })])

    expect(state).toEqual({ keyId, chatId: chat().chatId, isShared: false, streamId: '01B', readAt: 0, stopId: null })
    expect(await stored()).toEqual(chat())
    expect(await listStreamPieces(store.durable, '01B', 1)).toEqual([
      { seq: 1, text: 'data: 1 🦉\n\n', isLast: false },
      { seq: 2, text: 'data: 2 🦉\n\n', isLast: true },
    ])
  })

  it('ignore a piece that was already written', async () => {
    await saveStreamChats(store.relaxed, [chat()])
    await insertStreamPieces(store.relaxed, [piece(0)])

    await insertStreamPieces(store.relaxed, [piece(0), piece(1)])

    expect(await listStreamPieces(store.durable, '01B', 0)).toHaveLength(2)
  })

  it('keep the newest answer of a chat, whatever the order in which two processes write', async () => {
    await saveStreamChats(store.relaxed, [chat({ streamId: '01C', aliveAt: 5_000 })])

    const [state] = await saveStreamChats(store.relaxed, [chat({ streamId: '01B', aliveAt: 9_000, keptUntil: 1 })])

    expect(state?.streamId).toBe('01C')
    expect(await stored()).toEqual(chat({ streamId: '01C', aliveAt: 5_000 }))
  })

  it.each([{ fp: 'other' }, { address: '2001:db8::1' }, { isShared: true }])(
    'stay marked once two readers have used the chat: %o',
    async (other) => {
      await saveStreamChats(store.relaxed, [chat()])

      await saveStreamChats(store.relaxed, [chat({ streamId: '01C', ...other })])
      const [state] = await saveStreamChats(store.relaxed, [chat({ streamId: '01D' })])

      expect(state?.isShared).toBe(true)
      expect((await stored())?.isShared).toBe(true)
    },
  )

  it('pass reads and stops from other processes to the writer, for that answer only', async () => {
    await saveStreamChats(store.relaxed, [chat()])
    await markStreamRead(store.relaxed, chat({ streamId: 'another' }), 3_000)
    await markStreamRead(store.relaxed, chat(), 2_000)

    const outcomes = [
      await requestStreamStop(store.relaxed, chat({ streamId: 'another' })),
      await requestStreamStop(store.relaxed, chat()),
    ]
    const [state] = await saveStreamChats(store.relaxed, [chat({ keptUntil: 9_000 })])

    expect(outcomes).toEqual([false, true])
    expect(state).toMatchObject({ readAt: 2_000, stopId: '01B' })
    expect(await requestStreamStop(store.relaxed, chat())).toBe(false)
  })

  it.each([
    ['runs', { aliveAt: 1_000 }, 1],
    ['ended a moment ago', { keptUntil: 2_001 }, 1],
    ['ended long ago', { keptUntil: 2_000 }, 0],
    ['lost its process', { aliveAt: 499 }, 0],
    ['was superseded by a newer one', { streamId: '01C' }, 0],
  ])('lose their text on removal, or keep it, when the answer %s', async (_, change, left) => {
    await saveStreamChats(store.relaxed, [chat()])
    await insertStreamPieces(store.relaxed, [piece(0)])
    const { chatId } = chat()
    await saveStreamChats(store.relaxed, [chat(change)])

    await removeEndedStreams(store.relaxed, { now: 2_000, deadBefore: 500, idleBefore: 100 })

    expect(await listStreamPieces(store.durable, '01B', 0)).toHaveLength(left)
    expect(await getStreamChat(store.durable, keyId, chatId)).not.toBeNull()
  })

  it('are deleted after a long time without writes, and with their site', async () => {
    await saveStreamChats(store.relaxed, [chat({ aliveAt: 99 }), chat({ chatId: 'other' })])
    await insertStreamPieces(store.relaxed, [{ ...piece(0), chatId: 'other' }])

    await removeEndedStreams(store.relaxed, { now: 2_000, deadBefore: 0, idleBefore: 100 })
    const left = await store.durable.selectFrom('streamChats').select('chatId').execute()
    await deleteSite(store.durable, site.id)

    expect(left).toEqual([{ chatId: 'other' }])
    expect(await listStreamPieces(store.durable, '01B', 0)).toEqual([])
  })
}
