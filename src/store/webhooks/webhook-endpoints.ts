import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'

/** An address that is told what happens. */
export type WebhookEndpoint = Row<'webhookEndpoints'>

/** What may change after an endpoint was made. */
export type WebhookEndpointChange = Partial<
  Pick<WebhookEndpoint, 'name' | 'url' | 'events' | 'secretSealed' | 'isEnabled' | 'disabledReason' | 'failingSince'>
>

export async function insertWebhookEndpoint(db: Kysely<Database>, endpoint: WebhookEndpoint): Promise<void> {
  await db.insertInto('webhookEndpoints').values(endpoint).execute()
}

export async function getWebhookEndpoint(db: Kysely<Database>, id: string): Promise<WebhookEndpoint | null> {
  const row = await db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Of one organization; by id, ascending; the cursor is an id. */
export function listWebhookEndpoints(
  db: Kysely<Database>,
  request: ListRequest & { organizationId: string },
): Promise<Listing<WebhookEndpoint>> {
  const query = db.selectFrom('webhookEndpoints').selectAll().where('organizationId', '=', request.organizationId)
  return listById(query, request)
}

/** Changes the fields that are given. @returns The endpoint as it is now; null where there is none. */
export async function updateWebhookEndpoint(
  db: Kysely<Database>,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpoint | null> {
  const row = await db
    .updateTable('webhookEndpoints')
    // A statement has to set something.
    .set({ id, ...change })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** With what it was sent. @returns Whether there was one. */
export async function deleteWebhookEndpoint(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('webhookEndpoints').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
