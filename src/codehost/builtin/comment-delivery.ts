import { getPullRequest, type PullRequestComment } from '../../store/hosting/pull-requests.ts'
import type { NewWebhookDelivery } from '../../store/webhooks/webhook-deliveries.ts'
import type { WebhookEvent } from '../webhooks/webhook-event.ts'
import { type BuiltinHostDeps, repositoryOf } from './builtin-host-deps.ts'
import type { Person } from './person.ts'

/** Begins the source of deliveries of the built-in host, before the id of the repository. */
export const builtinSource = 'builtin:'

/** What a person has written, and on which line of the change. */
export interface PersonsComment extends Pick<PullRequestComment, 'id' | 'pullRequestId' | 'body' | 'createdAt'> {
  by: Person
  place?: { path: string; line: number } | null
}

/**
 * Reports a comment to the agent as forges do, in the queue of their webhooks. Insert it in the transaction of the
 * comment, so that neither is there without the other.
 *
 * @returns Null if it addresses nobody.
 */
export async function toCommentDelivery(
  deps: Pick<BuiltinHostDeps, 'store' | 'ids'>,
  { id, pullRequestId, body, createdAt, by, place = null }: PersonsComment,
): Promise<NewWebhookDelivery<WebhookEvent> | null> {
  const record = body.includes('@') ? await getPullRequest(deps.store.durable, pullRequestId) : null
  if (record === null) return null
  const repository = await repositoryOf(deps, record)
  const event: WebhookEvent = {
    type: 'comment-added',
    repository: { path: repository.name, url: null },
    number: record.number,
    commentId: id,
    author: by.id,
    isBot: false,
    body,
    path: place?.path ?? null,
    line: place?.line ?? null,
  }
  return {
    id: deps.ids.prefixed('whr'),
    source: `${builtinSource}${repository.id}`,
    deliveryId: id,
    organizationId: repository.organizationId,
    siteId: null,
    event,
    receivedAt: createdAt,
    ignoredFor: null,
  }
}
