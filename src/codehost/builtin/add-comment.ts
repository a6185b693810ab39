import { insertComment, type PullRequestComment } from '../../store/hosting/pull-requests.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { type PersonsComment, toCommentDelivery } from './comment-delivery.ts'

export interface AddedComment extends Partial<Pick<PersonsComment, 'by' | 'place'>> {
  /** The pull request. */
  id: string
  /** Markdown. */
  body: string
  /** Display name. */
  author: string
  /** The thread that it answers; null by default. */
  threadId?: string | null
}

/** @param comment.by The person who wrote it, so that the agent reads it; absent for comments of the service. */
export async function addComment(
  { store, clock, ids }: Pick<BuiltinHostDeps, 'store' | 'clock' | 'ids'>,
  comment: AddedComment,
): Promise<PullRequestComment> {
  const made = { id: ids.prefixed('comment'), createdAt: clock.now() }
  const { id, body, author, by, place = null, threadId = null } = comment
  const who = { author, authorId: by?.id ?? null }
  const written = { ...made, pullRequestId: id, threadId, body, ...who, appliedIn: null, editedAt: null }
  const delivery = by === undefined ? null : await toCommentDelivery({ store, ids }, { ...written, by, place })
  await insertComment(store.durable, written, delivery)
  return written
}
