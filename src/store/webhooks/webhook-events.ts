import { hash } from 'node:crypto'
import type { WebhookBody } from '../../contract/webhooks.ts'
import { unclaimed } from '../queue.ts'
import type { Db } from '../schema.ts'

/** An event for all endpoints that subscribe to its type. */
export interface Announcement {
  organizationId: string
  /** Identifies the event within its type, such as `job_1:2`; an event is announced only once. */
  subject: string
  body: WebhookBody
  now: number
}

/**
 * Queues an event for every subscribed endpoint. Call it in the transaction that writes the change itself, so that
 * neither exists without the other. Without subscribers nothing is written.
 */
export async function announceEvent(db: Db, announcement: Announcement): Promise<void> {
  const { organizationId, body } = announcement
  const endpoints = await db
    .selectFrom('webhookEndpoints')
    .select(['id', 'events'])
    .where('organizationId', '=', organizationId)
    .where('isEnabled', '=', true)
    .execute()
  const told = endpoints.filter(({ events }) => {
    const wanted: readonly string[] = events
    return wanted.includes(body.type)
  })
  await queueEvent(
    db,
    announcement,
    told.map(({ id }) => id),
  )
}

/**
 * Queues an event for the given endpoints.
 *
 * @returns The id of the first send; null if there are no endpoints or the event was queued before.
 */
export async function queueEvent(
  db: Db,
  { organizationId, subject, body, now }: Announcement,
  endpointIds: readonly string[],
): Promise<string | null> {
  if (endpointIds.length === 0) return null
  const eventId = `evt_${hash('sha256', `${body.type}:${subject}`).slice(0, 32)}`
  const added = await db
    .insertInto('webhookEvents')
    .values({
      id: eventId,
      organizationId,
      type: body.type,
      body: JSON.stringify(body),
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) return null
  const rows = endpointIds.map((endpointId) => ({
    id: nameSend(eventId, endpointId, now),
    endpointId,
    eventId,
    state: 'queued' as const,
    tries: 0,
    ...unclaimed(now),
    createdAt: now,
  }))
  await db.insertInto('webhookSends').values(rows).execute()
  return rows[0]?.id ?? null
}

/** The id sorts by time, and is the same for the same event and endpoint. */
function nameSend(eventId: string, endpointId: string, now: number): string {
  return `whd_${now.toString(16).padStart(12, '0')}${hash('sha256', `${eventId}:${endpointId}`).slice(0, 16)}`
}
