import { insertComment } from '../../store/hosting/pull-requests.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'

/** @param comment.body Markdown. */
export async function addComment(
  { store, clock, ids }: Pick<BuiltinHostDeps, 'store' | 'clock' | 'ids'>,
  comment: { id: string; body: string; author: string },
): Promise<{ id: string; createdAt: number }> {
  const made = { id: ids.prefixed('comment'), createdAt: clock.now() }
  const { id, body, author } = comment
  await insertComment(store.durable, { ...made, pullRequestId: id, body, author })
  return made
}
