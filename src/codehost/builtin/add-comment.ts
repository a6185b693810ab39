import { insertComment, type PullRequestComment } from '../../store/hosting/pull-requests.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'

/** @param comment.body Markdown. @param comment.threadId The thread that it answers; null by default. */
export async function addComment(
  { store, clock, ids }: Pick<BuiltinHostDeps, 'store' | 'clock' | 'ids'>,
  comment: { id: string; body: string; author: string; threadId?: string | null },
): Promise<PullRequestComment> {
  const made = { id: ids.prefixed('comment'), createdAt: clock.now() }
  const { id, body, author, threadId = null } = comment
  const written = { ...made, pullRequestId: id, threadId, body, author, appliedIn: null }
  await insertComment(store.durable, written)
  return written
}
