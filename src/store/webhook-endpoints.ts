import type { Kysely } from 'kysely'
import type { WebhookEventType } from '../contract/webhooks.ts'
import { type Listing, type ListRequest, toListing } from './listing.ts'
import type { Database, Row } from './schema.ts'

/** An address that is told what happens. */
export interface WebhookEndpoint {
  id: string
  organizationId: string
  /** For people. */
  name: string
  url: string
  events: WebhookEventType[]
  /** Sealed by `sealSecret`; signs what is sent. */
  secretSealed: string
  isEnabled: boolean
  /** A sentence, for one that was switched off by the service. */
  disabledReason: string | null
  /** When the first of the tries failed after which none has succeeded. */
  failingSince: number | null
  createdAt: number
}

/** What may change after an endpoint was made. */
export type WebhookEndpointChange = Partial<
  Pick<WebhookEndpoint, 'name' | 'url' | 'events' | 'secretSealed' | 'isEnabled' | 'disabledReason' | 'failingSince'>
>

export async function insertWebhookEndpoint(db: Kysely<Database>, endpoint: WebhookEndpoint): Promise<void> {
  await db
    .insertInto('webhookEndpoints')
    .values({
      id: endpoint.id,
      organizationId: endpoint.organizationId,
      name: endpoint.name,
      url: endpoint.url,
      events: endpoint.events,
      secretSealed: endpoint.secretSealed,
      isEnabled: endpoint.isEnabled,
      disabledReason: endpoint.disabledReason,
      failingSince: endpoint.failingSince,
      createdAt: endpoint.createdAt,
    })
    .execute()
}

export async function getWebhookEndpoint(db: Kysely<Database>, id: string): Promise<WebhookEndpoint | null> {
  const row = await db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toEndpoint(row)
}

/** Of one organization; by id, ascending; the cursor is an id. */
export async function listWebhookEndpoints(
  db: Kysely<Database>,
  { organizationId, limit, cursor }: ListRequest & { organizationId: string },
): Promise<Listing<WebhookEndpoint>> {
  let query = db.selectFrom('webhookEndpoints').selectAll().where('organizationId', '=', organizationId)
  if (cursor) query = query.where('id', '>', cursor)
  const rows = await query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return toListing(rows, limit, toEndpoint, (row) => row.id)
}

/** Changes the fields that are given. @returns The endpoint as it is now; null where there is none. */
export async function updateWebhookEndpoint(
  db: Kysely<Database>,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpoint | null> {
  const { name, url, events, secretSealed, isEnabled, disabledReason, failingSince } = change
  const row = await db
    .updateTable('webhookEndpoints')
    .set({
      // A statement has to set something.
      id,
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events }),
      ...(secretSealed !== undefined && { secretSealed }),
      ...(isEnabled !== undefined && { isEnabled }),
      ...(disabledReason !== undefined && { disabledReason }),
      ...(failingSince !== undefined && { failingSince }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toEndpoint(row)
}

/** With what it was sent. @returns Whether there was one. */
export async function deleteWebhookEndpoint(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('webhookEndpoints').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

function toEndpoint(row: Row<'webhookEndpoints'>): WebhookEndpoint {
  return {
    id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    url: row.url,
    events: row.events,
    secretSealed: row.secretSealed,
    isEnabled: row.isEnabled,
    disabledReason: row.disabledReason,
    failingSince: row.failingSince,
    createdAt: row.createdAt,
  }
}
