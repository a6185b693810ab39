import type { Kysely } from 'kysely'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Database, Row } from '../schema.ts'

/** A receiver of webhooks. */
export type WebhookEndpoint = Row<'webhookEndpoints'>

/** Fields that may change after creation. */
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

/** Lists an organization's endpoints; by id, ascending; the cursor is an id. */
export function listWebhookEndpoints(
  db: Kysely<Database>,
  request: ListRequest & { organizationId: string },
): Promise<Listing<WebhookEndpoint>> {
  const query = db.selectFrom('webhookEndpoints').selectAll().where('organizationId', '=', request.organizationId)
  return listById(query, request)
}

/** Changes the given fields. @returns The updated endpoint; null if there is none. */
export async function updateWebhookEndpoint(
  db: Kysely<Database>,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpoint | null> {
  const row = await db
    .updateTable('webhookEndpoints')
    // Sets at least `id`, because an empty update is invalid SQL.
    .set({ id, ...change })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Cascades to its sends. @returns Whether it existed. */
export async function deleteWebhookEndpoint(db: Kysely<Database>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('webhookEndpoints').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
