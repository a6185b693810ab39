import { listById, type Listing, type ListRequest } from '../listing.ts'
import { firstRow, hasChanged } from '../queries.ts'
import type { Db, Row } from '../schema.ts'

/** A receiver of webhooks. */
export type WebhookEndpoint = Row<'webhookEndpoints'>

/** Fields that may change after creation. */
export type WebhookEndpointChange = Partial<
  Pick<WebhookEndpoint, 'name' | 'url' | 'events' | 'secretSealed' | 'isEnabled' | 'disabledReason' | 'failingSince'>
>

export async function insertWebhookEndpoint(db: Db, endpoint: WebhookEndpoint): Promise<void> {
  await db.insertInto('webhookEndpoints').values(endpoint).execute()
}

export function getWebhookEndpoint(db: Db, id: string): Promise<WebhookEndpoint | null> {
  return firstRow(db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id))
}

/** Lists an organization's endpoints; by id, ascending; the cursor is an id. */
export function listWebhookEndpoints(
  db: Db,
  request: ListRequest & { organizationId: string },
): Promise<Listing<WebhookEndpoint>> {
  const query = db.selectFrom('webhookEndpoints').selectAll().where('organizationId', '=', request.organizationId)
  return listById(query, request)
}

/** Changes the given fields. @returns The updated endpoint; null if there is none. */
export function updateWebhookEndpoint(
  db: Db,
  id: string,
  change: WebhookEndpointChange,
): Promise<WebhookEndpoint | null> {
  return firstRow(
    db
      .updateTable('webhookEndpoints')
      // Sets at least `id`, because an empty update is invalid SQL.
      .set({ id, ...change })
      .where('id', '=', id)
      .returningAll(),
  )
}

/** Cascades to its sends. @returns Whether it existed. */
export function deleteWebhookEndpoint(db: Db, id: string): Promise<boolean> {
  return hasChanged(db.deleteFrom('webhookEndpoints').where('id', '=', id))
}
