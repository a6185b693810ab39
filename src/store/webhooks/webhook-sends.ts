import { inTransaction } from '../in-transaction.ts'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { hasChanged } from '../queries.ts'
import { type Claim, claimNext, type ClaimTimes, workDone, updateClaimed } from '../queue.ts'
import type { Db, Row } from '../schema.ts'

/** Delivery of an event to an endpoint. */
export interface WebhookSend {
  id: string
  endpointId: string
  eventId: string
  type: string
  /** `failed`: retried only on request. */
  state: 'queued' | 'succeeded' | 'failed'
  /** Attempts since a person last queued it. */
  tries: number
  /** When the next attempt is due; null unless queued. */
  runAt: number | null
  /** The newest attempt, like the next four fields. */
  status: number | null
  durationMs: number | null
  failure: string | null
  /** Beginning of the response body. */
  reply: string | null
  triedAt: number | null
  createdAt: number
}

/** A claimed send with everything needed to perform it. */
export interface WebhookSendClaim extends Claim {
  /** When other workers may claim it. */
  leaseUntil: number
  tries: number
  endpointId: string
  url: string
  secretSealed: string
  eventId: string
  body: string
}

export interface ClaimWebhookSend extends ClaimTimes {
  /** Endpoints that are at their concurrency limit. */
  exceptEndpoints: readonly string[]
}

/** Claims the longest waiting send of an enabled endpoint. */
export async function claimWebhookSend(
  db: Db,
  { exceptEndpoints, ...times }: ClaimWebhookSend,
): Promise<WebhookSendClaim | null> {
  const enabled = db.selectFrom('webhookEndpoints').select('id').where('isEnabled', '=', true)
  const claimed = await claimNext(db, 'webhookSends', times, {
    narrow: (query) => {
      const due = query.where('queued.endpointId', 'in', enabled)
      return exceptEndpoints.length > 0 ? due.where('queued.endpointId', 'not in', exceptEndpoints) : due
    },
  })
  return claimed && readClaim(db, claimed, times.leaseUntil)
}

/** Null if the endpoint has been deleted since. */
async function readClaim(db: Db, taken: Row<'webhookSends'>, leaseUntil: number): Promise<WebhookSendClaim | null> {
  const row = await db
    .selectFrom('webhookEndpoints')
    .innerJoin('webhookEvents', (join) => join.on('webhookEvents.id', '=', taken.eventId))
    .select(['webhookEndpoints.url', 'webhookEndpoints.secretSealed', 'webhookEvents.body'])
    .where('webhookEndpoints.id', '=', taken.endpointId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: taken.id,
    attempt: taken.attempt,
    leaseUntil,
    tries: taken.tries,
    endpointId: taken.endpointId,
    url: row.url,
    secretSealed: row.secretSealed,
    eventId: taken.eventId,
    body: row.body,
  }
}

/** Outcome of one attempt. */
export interface WebhookAttempt {
  status: number | null
  durationMs: number
  /** A sentence; null on success. */
  failure: string | null
  reply: string | null
  /** When to retry; null if not at all. */
  retryAt: number | null
  now: number
}

/** @returns Since when the endpoint has been failing, null if it is not; `lost` if the claim is no longer current. */
export function recordWebhookAttempt(
  db: Db,
  claim: Pick<WebhookSendClaim, 'id' | 'attempt' | 'tries' | 'endpointId'>,
  outcome: WebhookAttempt,
): Promise<{ failingSince: number | null } | 'lost'> {
  const { failure, retryAt, now } = outcome
  return inTransaction(db, async (transaction) => {
    const row = await updateClaimed(transaction, 'webhookSends', claim, {
      state: failure === null ? 'succeeded' : retryAt === null ? 'failed' : 'queued',
      // Cannot overwrite a requeued send: requeueing invalidates the claim.
      tries: claim.tries + 1,
      runAt: retryAt,
      isClaimed: false,
      status: outcome.status,
      durationMs: outcome.durationMs,
      failure,
      reply: outcome.reply,
      triedAt: now,
    })
    if (row === null) return 'lost'
    const endpoint = await transaction
      .updateTable('webhookEndpoints')
      .set((set) => ({ failingSince: failure === null ? null : set.fn.coalesce('failingSince', set.val(now)) }))
      .where('id', '=', claim.endpointId)
      .returning('failingSince')
      .executeTakeFirst()
    return { failingSince: endpoint?.failingSince ?? null }
  })
}

/** Disables an unreachable endpoint and fails its queued sends. */
export function switchOffWebhookEndpoint(db: Db, { id, reason }: { id: string; reason: string }): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await transaction
      .updateTable('webhookEndpoints')
      .set({ isEnabled: false, disabledReason: reason })
      .where('id', '=', id)
      .execute()
    await transaction
      .updateTable('webhookSends')
      .set({ state: 'failed', failure: reason, ...workDone })
      .where('endpointId', '=', id)
      .where('state', '=', 'queued')
      .execute()
  })
}

/** Queues a send again with its attempts reset. @returns False if there is no such send. */
export function requeueWebhookSend(db: Db, id: string, now: number): Promise<boolean> {
  return hasChanged(
    db
      .updateTable('webhookSends')
      .set((set) => ({ state: 'queued', attempt: set('attempt', '+', 1), tries: 0, runAt: now, isClaimed: false }))
      .where('id', '=', id),
  )
}

export async function getWebhookSend(db: Db, id: string): Promise<WebhookSend | null> {
  const row = await selectSends(db).where('webhookSends.id', '=', id).executeTakeFirst()
  return row ?? null
}

/** An endpoint's sends, newest first; the cursor is an id. */
export async function listWebhookSends(
  db: Db,
  { endpointId, limit, cursor }: ListRequest & { endpointId: string },
): Promise<Listing<WebhookSend>> {
  let query = selectSends(db).where('webhookSends.endpointId', '=', endpointId)
  if (cursor) query = query.where('webhookSends.id', '<', cursor)
  const rows = await query
    .orderBy('webhookSends.id', 'desc')
    .limit(limit + 1)
    .execute()
  return toListing(
    rows,
    limit,
    (row) => row,
    (row) => row.id,
  )
}

/** Deletes events created before a given time, with their sends. */
export async function removeOldWebhookEvents(db: Db, before: number): Promise<void> {
  await db.deleteFrom('webhookEvents').where('createdAt', '<', before).execute()
}

function selectSends(db: Db) {
  return db
    .selectFrom('webhookSends')
    .innerJoin('webhookEvents', 'webhookEvents.id', 'webhookSends.eventId')
    .selectAll('webhookSends')
    .select('webhookEvents.type')
}
