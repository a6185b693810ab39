import { beforeEach, expect, it } from 'vitest'
import { botSettingsSchema } from '../../src/contract/bots.ts'
import {
  claimBotEvent,
  finishBotEvent,
  insertBotEvent,
  isBotConversation,
  recordPostedIds,
  readBotActivity,
  removeOldBotEvents,
} from '../../src/store/bots/bot-events.ts'
import { type Bot, deleteBot, findBot, saveBot } from '../../src/store/bots/bots.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'

export function declareBotTests(harness: StoreHarness): void {
  let store: Store
  let bot: Bot

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    const { id: siteId } = await seedSite(store)
    bot = await saveBot(store.durable, {
      id: `bot_${freshId()}`,
      siteId,
      platform: 'slack',
      account: { name: 'Acme', userId: 'U1', workspaceId: 'T1', publicKey: null },
      credentialsSealed: 'sealed',
      settings: botSettingsSchema.parse({}),
      createdAt: 1,
    })
  })

  const insert = (deliveryId: string, conversation: string) =>
    insertBotEvent(store.durable, {
      id: freshId(),
      botId: bot.id,
      deliveryId,
      conversation,
      event: { type: 'question', text: deliveryId },
      receivedAt: 1_000,
    })
  const claim = (now = 1_000) => claimBotEvent<{ text: string }>(store.durable, { now, leaseUntil: now + 60_000 })

  it('queues a delivery once, and hands out one event of a conversation at a time, in order', async () => {
    const inserted = [
      await insert('a', 'one'),
      await insert('a', 'one'),
      await insert('b', 'one'),
      await insert('c', 'two'),
    ]
    const claimed = [await claim(), await claim(), await claim()]
    const [first] = claimed
    if (first != null) await finishBotEvent(store.durable, first, { failure: null, now: 2_000 })
    const next = await claim(3_000)

    expect(inserted).toEqual([true, false, true, true])
    expect(claimed.map((each) => each?.event.text ?? null)).toEqual(['a', 'c', null])
    expect(next).toMatchObject({ event: { text: 'b' }, attempt: 1, startedAt: 3_000 })
  })

  it('keeps the first start and the posted messages for the next attempt, and fences out the one before', async () => {
    await insert('a', 'one')
    const first = await claim()
    if (first === null) throw new Error('There is nothing to claim.')
    const noted = await recordPostedIds(store.durable, first, ['m1'])
    const second = await claim(100_000)

    expect(noted).toBe(true)
    expect(second).toMatchObject({ attempt: 2, startedAt: 1_000, postedIds: ['m1'] })
    expect(await recordPostedIds(store.durable, first, ['m1', 'm2'])).toBe(false)
  })

  it('forgets what was asked when it is done, but not where, and everything with the bot', async () => {
    await insert('a', 'one')
    const claimed = await claim()
    if (claimed !== null) await finishBotEvent(store.durable, claimed, { failure: 'Slack refused.', now: 2_000 })
    const rows = await store.durable.selectFrom('botEvents').select('event').execute()

    expect(rows).toEqual([{ event: {} }])
    expect(await isBotConversation(store.durable, bot.id, 'one')).toBe(true)
    expect(await isBotConversation(store.durable, bot.id, 'two')).toBe(false)
    expect(await readBotActivity(store.durable, bot.id)).toEqual({ lastEventAt: 1_000, failure: 'Slack refused.' })
    await insert('b', 'two')
    await removeOldBotEvents(store.durable, 5_000)
    expect(await store.durable.selectFrom('botEvents').select('deliveryId').execute()).toEqual([{ deliveryId: 'b' }])
    await deleteBot(store.durable, bot.id)
    expect(await findBot(store.durable, bot)).toBeNull()
    expect(await store.durable.selectFrom('botEvents').select('id').execute()).toEqual([])
  })
}
