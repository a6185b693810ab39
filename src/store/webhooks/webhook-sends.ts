import type { Kysely } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import { type Listing, type ListRequest, toListing } from '../listing.ts'
import { type Claim, claimNext, type ClaimTimes, workDone, updateClaimed } from '../queue.ts'
import type { Database, Row } from '../schema.ts'

/** An event on its way to an endpoint. */
export interface WebhookSend {
  id: string
  endpointId: string
  eventId: string
  type: string
  /** `failed`: it is not tried again by itself. */
  state: 'queued' | 'succeeded' | 'failed'
  /** Since it was last queued by somebody. */
  tries: number
  /** When the next attempt is due; null unless queued. */
  runAt: number | null
  /** Of the newest try, these five. */
  status: number | null
  durationMs: number | null
  failure: string | null
  /** How the reply began. */
  reply: string | null
  triedAt: number | null
  createdAt: number
}

/** One claim of a send, with all that it takes to send it. */
export interface WebhookSendClaim extends Claim {
  /** When somebody else may take it. */
  leaseUntil: number
  tries: number
  endpointId: string
  url: string
  secretSealed: string
  eventId: string
  body: string
}

export interface ClaimWebhookSend extends ClaimTimes {
  /** Endpoints that have enough to do. */
  exceptEndpoints: readonly string[]
}

/** Takes what waits longest for an endpoint that is switched on. */
export async function claimWebhookSend(
  db: Kysely<Database>,
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

/** Null when the endpoint was deleted since. */
async function readClaim(
  db: Kysely<Database>,
  taken: Row<'webhookSends'>,
  leaseUntil: number,
): Promise<WebhookSendClaim | null> {
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

/** What came of one try. */
export interface WebhookAttempt {
  status: number | null
  durationMs: number
  /** A sentence; null for one that worked. */
  failure: string | null
  reply: string | null
  /** When it is tried again; null when it is not. */
  retryAt: number | null
  now: number
}

/** @returns Since when the endpoint fails, null when it does not; `lost` when the claim is not the current one any more. */
export function recordWebhookAttempt(
  db: Kysely<Database>,
  claim: Pick<WebhookSendClaim, 'id' | 'attempt' | 'tries' | 'endpointId'>,
  outcome: WebhookAttempt,
): Promise<{ failingSince: number | null } | 'lost'> {
  const { failure, retryAt, now } = outcome
  return inTransaction(db, async (transaction) => {
    const row = await updateClaimed(transaction, 'webhookSends', claim, {
      state: failure === null ? 'succeeded' : retryAt === null ? 'failed' : 'queued',
      // Whoever queues it again from the beginning of its tries takes the claim away.
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

/** Switches an endpoint off that nothing reaches any more, and gives up what waits for it. */
export function switchOffWebhookEndpoint(
  db: Kysely<Database>,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
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

/** Sends something again, from the beginning of its tries. @returns False when there is no such send. */
export async function requeueWebhookSend(db: Kysely<Database>, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('webhookSends')
    .set((set) => ({ state: 'queued', attempt: set('attempt', '+', 1), tries: 0, runAt: now, isClaimed: false }))
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function getWebhookSend(db: Kysely<Database>, id: string): Promise<WebhookSend | null> {
  const row = await selectSends(db).where('webhookSends.id', '=', id).executeTakeFirst()
  return row ?? null
}

/** The newest to an endpoint first; the cursor is an id. */
export async function listWebhookSends(
  db: Kysely<Database>,
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

/** Forgets the events of before a moment, with what was sent of them. */
export async function removeOldWebhookEvents(db: Kysely<Database>, before: number): Promise<void> {
  await db.deleteFrom('webhookEvents').where('createdAt', '<', before).execute()
}

function selectSends(db: Kysely<Database>) {
  return db
    .selectFrom('webhookSends')
    .innerJoin('webhookEvents', 'webhookEvents.id', 'webhookSends.eventId')
    .selectAll('webhookSends')
    .select('webhookEvents.type')
}
