import type { ExpressionBuilder } from 'kysely'
import { hasRow } from '../queries.ts'
import { type Claim, claimNext, type ClaimTimes, finishClaim, unclaimed, updateClaimed } from '../queue.ts'
import type { Database, Db, Row } from '../schema.ts'

/** @typeParam Event As given by the writer; its fields are not checked again. */
export type QueuedBotEvent<Event extends object> = Omit<Row<'botEvents'>, 'event' | 'isClaimed' | 'runAt'> & {
  event: Event
}

export interface NewBotEvent {
  id: string
  botId: string
  deliveryId: string
  conversation: string
  event: object
  receivedAt: number
}

/** Queues an event once. @returns False for one that was delivered before. */
export function insertBotEvent(db: Db, event: NewBotEvent): Promise<boolean> {
  const { receivedAt } = event
  return hasRow(
    db
      .insertInto('botEvents')
      .values({
        ...event,
        state: 'queued',
        postedIds: [],
        ...unclaimed(receivedAt),
      })
      .onConflict((conflict) => conflict.columns(['botId', 'deliveryId']).doNothing())
      .returning('id'),
  )
}

/** Claims the event that has been due longest, unless an earlier one of its conversation is unfinished. */
export async function claimBotEvent<Event extends object>(
  db: Db,
  times: ClaimTimes,
): Promise<QueuedBotEvent<Event> | null> {
  const row = await claimNext(db, 'botEvents', times, {
    narrow: (query) => query.where((where) => where.not(where.exists(selectEarlier(where)))),
    change: (set) => ({ startedAt: set.fn.coalesce('startedAt', set.val(times.now)) }),
  })
  if (row === null) return null
  const { isClaimed: _, runAt: __, ...event } = row
  return { ...event, event: event.event as Event } // As given by the writer.
}

function selectEarlier(where: ExpressionBuilder<Database & Record<'queued', Database['botEvents']>, 'queued'>) {
  return where
    .selectFrom('botEvents as earlier')
    .select('earlier.id')
    .whereRef('earlier.conversation', '=', 'queued.conversation')
    .whereRef('earlier.id', '<', 'queued.id')
    .where('earlier.runAt', 'is not', null)
}

/** @returns False if the claim was lost: stop the work. */
export async function recordPostedIds(db: Db, claim: Claim, postedIds: readonly string[]): Promise<boolean> {
  return (await updateClaimed(db, 'botEvents', claim, { postedIds })) !== null
}

/** @param failure A sentence; null if it was handled. */
export async function finishBotEvent(
  db: Db,
  claim: Claim,
  { failure, now }: { failure: string | null; now: number },
): Promise<void> {
  const state = failure === null ? 'done' : 'failed'
  await finishClaim(db, 'botEvents', claim, { state, outcome: failure, finishedAt: now, event: {} })
}

/** Whether the bot takes part in a conversation: whether it was asked there, as long as events are kept. */
export function isBotConversation(db: Db, botId: string, conversation: string): Promise<boolean> {
  return hasRow(
    db
      .selectFrom('botEvents')
      .select('id')
      .where('conversation', '=', conversation)
      .where('botId', '=', botId)
      .limit(1),
  )
}

/** The newest event of a bot, and the newest that was handled; null without one. */
export async function readBotActivity(
  db: Db,
  botId: string,
): Promise<{ lastEventAt: number | null; failure: string | null }> {
  const events = db.selectFrom('botEvents').where('botId', '=', botId).orderBy('id', 'desc').limit(1)
  const last = await events.select('receivedAt').executeTakeFirst()
  const ended = await events.select('outcome').where('finishedAt', 'is not', null).executeTakeFirst()
  return { lastEventAt: last?.receivedAt ?? null, failure: ended?.outcome ?? null }
}

/** Deletes finished events received before a given time. */
export async function removeOldBotEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('botEvents').where('receivedAt', '<', before).where('runAt', 'is', null).execute()
}
