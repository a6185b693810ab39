import type { Kysely } from 'kysely'
import { parseObject } from './json-column.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import { claimQueuedRow, type ClaimTimes, type RowClaim, updateClaimedRow } from './queued-rows.ts'
import type { Database, Row } from './schema.ts'

/**
 * What a host of repositories told, and what became of it.
 *
 * @typeParam Event What the writer gave; fields are not checked again.
 */
export interface WebhookDelivery<Event extends object> {
  id: string
  /** Whose hook it is: `site:ID` or `app:ID`. Delivery ids are unlike within it. */
  source: string
  /** As the sender names the delivery. */
  deliveryId: string
  organizationId: string
  /** Null for a hook that is not of one site. */
  siteId: string | null
  event: Event
  state: 'queued' | 'done' | 'ignored' | 'failed'
  /** A sentence; null while it waits for its first try. */
  outcome: string | null
  /** Counts the claims. It fences: a write with an older attempt changes nothing. */
  attempt: number
  receivedAt: number
  finishedAt: number | null
}

export type NewWebhookDelivery<Event extends object> = Pick<
  WebhookDelivery<Event>,
  'id' | 'source' | 'deliveryId' | 'organizationId' | 'siteId' | 'event' | 'receivedAt'
> & {
  /** The reason why nothing is to be done; null where something is. */
  ignoredFor: string | null
}

/**
 * Queues a delivery, once. One that failed for good is queued again when its sender repeats it, because that is what
 * people do who have mended the reason.
 *
 * @returns False for a repetition that changes nothing.
 */
export async function insertWebhookDelivery<Event extends object>(
  db: Kysely<Database>,
  delivery: NewWebhookDelivery<Event>,
): Promise<boolean> {
  const { receivedAt, ignoredFor } = delivery
  const row = await db
    .insertInto('webhook_deliveries')
    .values({
      id: delivery.id,
      source: delivery.source,
      delivery_id: delivery.deliveryId,
      organization_id: delivery.organizationId,
      site_id: delivery.siteId,
      event: JSON.stringify(delivery.event),
      state: ignoredFor === null ? 'queued' : 'ignored',
      outcome: ignoredFor,
      attempt: 0,
      run_at: receivedAt,
      received_at: receivedAt,
      finished_at: ignoredFor === null ? null : receivedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['source', 'delivery_id'])
        .doUpdateSet({ state: 'queued', attempt: 0, run_at: receivedAt, finished_at: null })
        .where('webhook_deliveries.state', '=', 'failed'),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the delivery that waits longest. */
export async function claimWebhookDelivery<Event extends object>(
  db: Kysely<Database>,
  times: ClaimTimes,
): Promise<WebhookDelivery<Event> | null> {
  const row = await claimQueuedRow(db, 'webhook_deliveries', times)
  return row === undefined ? null : toDelivery<Event>(row)
}

export interface WebhookDeliveryEnd {
  state: 'done' | 'ignored' | 'failed'
  outcome: string
  now: number
}

/** @returns False when the claim is not the current one any more; nothing was written then. */
export function finishWebhookDelivery(
  db: Kysely<Database>,
  claim: RowClaim,
  { state, outcome, now }: WebhookDeliveryEnd,
): Promise<boolean> {
  return updateClaimedRow(db, 'webhook_deliveries', claim, { state, outcome, finished_at: now })
}

/** Has it tried again later. @param retry.outcome Why it did not work. */
export function retryWebhookDelivery(
  db: Kysely<Database>,
  claim: RowClaim,
  { outcome, runAt }: { outcome: string; runAt: number },
): Promise<boolean> {
  return updateClaimedRow(db, 'webhook_deliveries', claim, { outcome, run_at: runAt })
}

/** For the start of a process that is the only one on its database: whoever worked on them is dead. */
export async function releaseWebhookDeliveries(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ run_at: now })
    .where('state', '=', 'queued')
    .where('attempt', '>', 0)
    .where('outcome', 'is', null)
    .execute()
}

/** The newest of a site first; ids sort by time; the cursor is an id. */
export async function listWebhookDeliveries<Event extends object>(
  db: Kysely<Database>,
  { siteId, limit, cursor }: ListRequest & { siteId: string },
): Promise<Listing<WebhookDelivery<Event>>> {
  let query = db.selectFrom('webhook_deliveries').selectAll().where('site_id', '=', siteId)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toDelivery<Event>, (row) => row.id)
}

/** Forgets what was received before a moment and is done with. */
export async function removeOldWebhookDeliveries(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('webhook_deliveries').where('received_at', '<', before).where('state', '!=', 'queued').execute()
}

function toDelivery<Event extends object>(row: Row<'webhook_deliveries'>): WebhookDelivery<Event> {
  return {
    id: row.id,
    source: row.source,
    deliveryId: row.delivery_id,
    organizationId: row.organization_id,
    siteId: row.site_id,
    event: parseObject<Event>('webhook_deliveries.event', row.event),
    state: row.state,
    outcome: row.outcome,
    attempt: row.attempt,
    receivedAt: row.received_at,
    finishedAt: row.finished_at,
  }
}
