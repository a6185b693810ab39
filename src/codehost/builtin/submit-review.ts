import { AppError } from '../../contract/app-error.ts'
import type { ReviewVerdict } from '../../contract/pull-request-review.ts'
import { insertReview, type PullRequestReview } from '../../store/hosting/pull-request-reviews.ts'
import type { BuiltinHostDeps, ReconcileDeps } from './builtin-host-deps.ts'
import { toCommentDelivery } from './comment-delivery.ts'
import type { Person } from './person.ts'
import { reconcilePullRequest } from './reconcile-pull-request.ts'
import { requireOpen, requireReviewed } from './require-reviewed.ts'

export interface SubmitReviewInput {
  id: string
  verdict: ReviewVerdict
  /** Markdown; may be empty. */
  body: string
  /** The commit that was reviewed. */
  head: string
  by: Person
}

/**
 * Records a verdict on a pull request as it is now.
 *
 * @throws {AppError} `conflict` if it has ended or has moved; `role_forbidden` if its author approves it where approval
 *   is required.
 */
export async function submitReview(
  deps: ReconcileDeps & Pick<BuiltinHostDeps, 'ids' | 'requiresApproval'>,
  { id, verdict, body, head, by }: SubmitReviewInput,
  signal: AbortSignal,
): Promise<PullRequestReview> {
  const reconciled = await reconcilePullRequest(deps, id, signal)
  requireOpen(reconciled)
  requireReviewed(reconciled, head)
  if (verdict === 'approve' && deps.requiresApproval && reconciled.record.authorId === by.id) {
    throw new AppError(
      'role_forbidden',
      'You opened this pull request, and somebody else has to approve it. Ask another editor or an owner.',
    )
  }
  const made = { id: deps.ids.prefixed('review'), pullRequestId: id, createdAt: deps.clock.now() }
  const review = { ...made, authorId: by.id, author: by.name, verdict, body, commit: head }
  await insertReview(deps.store.durable, review, await toCommentDelivery(deps, { ...review, by }))
  return review
}
