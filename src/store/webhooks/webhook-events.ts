import { hash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { WebhookBody } from '../../contract/webhooks.ts'
import type { Database } from '../schema.ts'

/** Something that happened, for whoever wants to be told. */
export interface Announcement {
  organizationId: string
  /** What the event is of and which one it is, such as `job_1:2`: the same event is announced once. */
  subject: string
  body: WebhookBody
  now: number
}

/**
 * Queues an event for every endpoint that is to know of it. Call it in the transaction that makes true what it tells,
 * so that neither is there without the other. Where nobody wants to know, nothing is written.
 */
export async function announceEvent(db: Kysely<Database>, announcement: Announcement): Promise<void> {
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
 * Queues an event for the endpoints that are named.
 *
 * @returns The id of what is to be sent to the first of them; null when there is none, or the event was queued before.
 */
export async function queueEvent(
  db: Kysely<Database>,
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
    attempt: 0,
    tries: 0,
    runAt: now,
    isClaimed: false,
    createdAt: now,
  }))
  await db.insertInto('webhookSends').values(rows).execute()
  return rows[0]?.id ?? null
}

/** Sorts by time, and is the same for the same event and endpoint. */
function nameSend(eventId: string, endpointId: string, now: number): string {
  return `whd_${now.toString(16).padStart(12, '0')}${hash('sha256', `${eventId}:${endpointId}`).slice(0, 16)}`
}
