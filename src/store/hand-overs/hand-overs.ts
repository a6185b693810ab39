import type { HandOverChannel, HandOverState } from '../../contract/hand-over.ts'
import { inTransaction } from '../in-transaction.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged } from '../queries.ts'
import { type Claim, claimNext, type ClaimTimes, unclaimed, updateClaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'
import { announceEvent } from '../webhooks/webhook-events.ts'

/** A message of a reader to the people behind a site. */
export type HandOver = Row<'handOvers'>

/** An e-mail or an issue to be made of one. */
export type HandOverSend = Row<'handOverSends'>

export function findHandOver(db: Db, siteId: string, requestId: string): Promise<HandOver | undefined> {
  const query = db.selectFrom('handOvers').selectAll().where('siteId', '=', siteId)
  return query.where('requestId', '=', requestId).executeTakeFirst()
}

/**
 * Stores a message, and queues what is to be made of it, webhooks included, in one transaction.
 *
 * @returns The message; the one that was stored before under its request id, if there is one.
 */
export function insertHandOver(
  db: Db,
  handOver: HandOver,
  { channels, organizationId }: { channels: readonly HandOverChannel[]; organizationId: string },
): Promise<HandOver> {
  return inTransaction(db, async (transaction) => {
    const added = await transaction
      .insertInto('handOvers')
      .values(handOver)
      .onConflict((conflict) => conflict.columns(['siteId', 'requestId']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (added === undefined) return (await findHandOver(transaction, handOver.siteId, handOver.requestId)) ?? handOver
    const { id: handOverId, createdAt } = handOver
    const sends = channels.map((channel) => ({
      id: `${handOverId}_${channel}`,
      handOverId,
      channel,
      state: 'queued' as const,
      ...unclaimed(createdAt),
      createdAt,
    }))
    if (sends.length > 0) await transaction.insertInto('handOverSends').values(sends).execute()
    await announce(transaction, handOver, organizationId)
    return handOver
  })
}

function announce(db: Db, handOver: HandOver, organizationId: string): Promise<void> {
  const { id: handOverId, siteId, threadId, page, fields, createdAt: now } = handOver
  const data = { handOverId, siteId, threadId, page, fields }
  const body = { type: 'hand_over.created' as const, timestamp: new Date(now).toISOString(), data }
  return announceEvent(db, { organizationId, subject: handOverId, body, now })
}

export function getHandOver(db: Db, siteId: string, id: string): Promise<HandOver | null> {
  const query = db.selectFrom('handOvers').selectAll().where('siteId', '=', siteId)
  return firstRow(query.where('id', '=', id))
}

export interface HandOverRequest extends ListRequest {
  siteId: string
  state?: HandOverState | undefined
}

/** Newest first; the cursor is an id. */
export function listHandOvers(db: Db, { siteId, state, ...page }: HandOverRequest): Promise<Listing<HandOver>> {
  const query = db.selectFrom('handOvers').selectAll().where('siteId', '=', siteId)
  return listById(state === undefined ? query : query.where('state', '=', state), page, 'desc')
}

export async function listHandOverSends(db: Db, ids: readonly string[]): Promise<HandOverSend[]> {
  if (ids.length === 0) return []
  return db.selectFrom('handOverSends').selectAll().where('handOverId', 'in', ids).orderBy('id').execute()
}

/** @returns False if there is no such message. */
export function setHandOverState(db: Db, id: string, state: HandOverState): Promise<boolean> {
  return hasChanged(db.updateTable('handOvers').set({ state }).where('id', '=', id))
}

export async function deleteHandOver(db: Db, id: string): Promise<void> {
  await db.deleteFrom('handOvers').where('id', '=', id).execute()
}

/** Queues the failed sends of a message again. */
export async function requeueHandOver(db: Db, handOverId: string, now: number): Promise<void> {
  await db
    .updateTable('handOverSends')
    .set({ state: 'queued', ...unclaimed(now) })
    .where('handOverId', '=', handOverId)
    .where('state', '=', 'failed')
    .execute()
}

/** A claimed send with its message. */
export interface HandOverSendClaim extends Claim {
  channel: HandOverChannel
  handOver: HandOver
}

export async function claimHandOverSend(db: Db, times: ClaimTimes): Promise<HandOverSendClaim | null> {
  const send = await claimNext(db, 'handOverSends', times)
  if (send === null) return null
  const { id, attempt, channel, handOverId } = send
  const query = db.selectFrom('handOvers').selectAll().where('id', '=', handOverId)
  const handOver = await query.executeTakeFirst()
  return handOver === undefined ? null : { id, attempt, channel, handOver }
}

/** Outcome of one attempt. */
export type HandOverAttempt =
  | { failure: null; url: string | null }
  /** `retryAt` is null if there are no further attempts. */
  | { failure: string; retryAt: number | null }

/** @returns False if the claim was lost. */
export async function recordHandOverAttempt(db: Db, claim: Claim, outcome: HandOverAttempt): Promise<boolean> {
  const { failure } = outcome
  const change =
    failure === null
      ? { state: 'succeeded' as const, failure, url: outcome.url, runAt: null }
      : { state: outcome.retryAt === null ? ('failed' as const) : ('queued' as const), failure, runAt: outcome.retryAt }
  return (await updateClaimed(db, 'handOverSends', claim, { ...change, isClaimed: false })) !== null
}

/** Deletes messages created before a given time. */
export async function removeOldHandOvers(db: Db, before: number): Promise<void> {
  await db.deleteFrom('handOvers').where('createdAt', '<', before).execute()
}
