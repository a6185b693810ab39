import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { hasRow } from '../queries.ts'
import { claimNext, type ClaimTimes } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

/**
 * A delivery from a code host and its outcome.
 *
 * @typeParam Event As given by the writer; its fields are not checked again.
 */
export interface WebhookDelivery<Event extends object> {
  id: string
  /** `site:ID` or `app:ID`; the scope in which delivery ids are unique. */
  source: string
  /** The id assigned by the sender. */
  deliveryId: string
  organizationId: string
  /** Null for hooks that do not belong to a single site. */
  siteId: string | null
  event: Event
  state: 'queued' | 'done' | 'ignored' | 'failed'
  /** A sentence; null until the first attempt. */
  outcome: string | null
  /** Counts claims. Fencing token: a write with an older attempt changes nothing. */
  attempt: number
  receivedAt: number
  finishedAt: number | null
}

export type NewWebhookDelivery<Event extends object> = Pick<
  WebhookDelivery<Event>,
  'id' | 'source' | 'deliveryId' | 'organizationId' | 'siteId' | 'event' | 'receivedAt'
> & {
  /** Why there is nothing to do; null if there is. */
  ignoredFor: string | null
}

/**
 * Queues a delivery once. If it has failed for good, a redelivery queues it again: people redeliver after fixing the
 * cause.
 *
 * @returns False for a repeated delivery that changes nothing.
 */
export function insertWebhookDelivery<Event extends object>(
  db: Db,
  delivery: NewWebhookDelivery<Event>,
): Promise<boolean> {
  const { receivedAt, ignoredFor } = delivery
  return hasRow(
    db
      .insertInto('webhookDeliveries')
      .values({
        id: delivery.id,
        hook: delivery.source,
        deliveryId: delivery.deliveryId,
        organizationId: delivery.organizationId,
        siteId: delivery.siteId,
        event: delivery.event,
        state: ignoredFor === null ? 'queued' : 'ignored',
        outcome: ignoredFor,
        attempt: 0,
        runAt: ignoredFor === null ? receivedAt : null,
        isClaimed: false,
        receivedAt,
        finishedAt: ignoredFor === null ? null : receivedAt,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['hook', 'deliveryId'])
          .doUpdateSet({ state: 'queued', attempt: 0, runAt: receivedAt, finishedAt: null })
          .where('webhookDeliveries.state', '=', 'failed'),
      )
      .returning('id'),
  )
}

export async function claimWebhookDelivery<Event extends object>(
  db: Db,
  times: ClaimTimes,
): Promise<WebhookDelivery<Event> | null> {
  const row = await claimNext(db, 'webhookDeliveries', times)
  return row && toDelivery<Event>(row)
}

/** The deliveries of a site or an App, newest first; the cursor is an id (ids sort by time). */
export async function listWebhookDeliveries<Event extends object>(
  db: Db,
  { source, limit, cursor }: ListRequest & Pick<WebhookDelivery<Event>, 'source'>,
): Promise<Listing<WebhookDelivery<Event>>> {
  let query = db.selectFrom('webhookDeliveries').selectAll().where('hook', '=', source)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toDelivery<Event>, (row) => row.id)
}

/** Deletes finished deliveries received before a given time. */
export async function removeOldWebhookDeliveries(db: Db, before: number): Promise<void> {
  await db.deleteFrom('webhookDeliveries').where('receivedAt', '<', before).where('state', '!=', 'queued').execute()
}

function toDelivery<Event extends object>(row: Row<'webhookDeliveries'>): WebhookDelivery<Event> {
  const { hook: source, event, isClaimed: _, runAt: __, ...delivery } = row
  return { ...delivery, source, event: event as Event } // As given by the writer.
}
