import { createHmac } from 'node:crypto'
import { type LeaseDeps, withLease } from '../store/with-lease.ts'
import type { CodeHost } from './code-host.ts'

/** Signs the marks of comments, so that nobody can plant one earlier. */
export interface CommentMark {
  /** Name of the feature, such as `readers`. */
  name: string
  key: Buffer
  /** What it is about besides the pull request, such as a site. */
  subject: string
}

/**
 * Keeps one comment of a pull request up to date: edits the one that is there, whatever was killed before. Replicas take
 * turns by a lease, so that only one of them finds none and adds it.
 *
 * @param input.isNeeded Whether to add one if there is none yet.
 */
export async function upsertComment(
  deps: LeaseDeps,
  host: Pick<CodeHost, 'findComment' | 'comment' | 'editComment'>,
  { id, mark, body, isNeeded = true }: { id: string; mark: CommentMark; body: string; isNeeded?: boolean },
  signal: AbortSignal,
): Promise<void> {
  const signature = createHmac('sha256', mark.key).update(`${mark.subject}\n${id}`).digest('base64url').slice(0, 22)
  const first = `<!-- docent:${mark.name} ${signature} -->`
  const marked = `${first}\n${body}`
  await withLease(deps, { name: `comment:${mark.name} ${signature}`, signal }, async (held) => {
    const known = await host.findComment({ id, mark: first }, held)
    if (known !== null) await host.editComment({ id, commentId: known.commentId, body: marked }, held)
    else if (isNeeded) await host.comment({ id, body: marked }, held)
  })
}
