import type { WebhookEvent } from '../../codehost/webhooks/webhook-event.ts'
import type { ListRequest } from '../../store/listing.ts'
import type { Store } from '../../store/store.ts'
import { listWebhookDeliveries } from '../../store/webhooks/webhook-deliveries.ts'

/** Webhooks that a code host sent. @param request.source `site:ID` or `app:ID`. */
export async function listReceivedWebhooks(
  { durable }: Pick<Store, 'durable'>,
  request: ListRequest & { source: string },
) {
  const { items, nextCursor } = await listWebhookDeliveries<WebhookEvent>(durable, request)
  return { items: items.map((delivery) => ({ ...delivery, type: delivery.event.type })), nextCursor }
}
