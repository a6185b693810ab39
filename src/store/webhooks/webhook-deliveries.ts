import type { Kysely } from 'kysely'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { claimNext, type ClaimTimes } from '../queue.ts'
import type { Database, Row } from '../schema.ts'

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
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function claimWebhookDelivery<Event extends object>(
  db: Kysely<Database>,
  times: ClaimTimes,
): Promise<WebhookDelivery<Event> | null> {
  const row = await claimNext(db, 'webhookDeliveries', times)
  return row && toDelivery<Event>(row)
}

/** The newest of a site first; ids sort by time; the cursor is an id. */
export async function listWebhookDeliveries<Event extends object>(
  db: Kysely<Database>,
  { siteId, limit, cursor }: ListRequest & { siteId: string },
): Promise<Listing<WebhookDelivery<Event>>> {
  let query = db.selectFrom('webhookDeliveries').selectAll().where('siteId', '=', siteId)
  if (cursor) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toDelivery<Event>, (row) => row.id)
}

/** Forgets what was received before a moment and is done with. */
export async function removeOldWebhookDeliveries(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('webhookDeliveries').where('receivedAt', '<', before).where('state', '!=', 'queued').execute()
}

function toDelivery<Event extends object>(row: Row<'webhookDeliveries'>): WebhookDelivery<Event> {
  const { hook: source, event, isClaimed: _, runAt: __, ...delivery } = row
  return { ...delivery, source, event: event as Event } // As given by the writer.
}
