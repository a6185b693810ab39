import { listReviews, type PullRequestReview } from '../../store/hosting/pull-request-reviews.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { describeReadersHold } from './describe-readers-hold.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'

const reviewsMax = 500

export interface HoldInput {
  record: Pick<PullRequestRecord, 'isDraft' | 'checks' | 'headCommit' | 'authorId'>
  /** Newest first. */
  reviews: readonly Pick<PullRequestReview, 'authorId' | 'author' | 'verdict' | 'commit'>[]
  requiresApproval: boolean
}

/** @returns Why a pull request does not merge without an owner's override, in a sentence; null if it may. */
export async function findHold(
  { store, requiresApproval }: Pick<BuiltinHostDeps, 'store' | 'requiresApproval'>,
  record: PullRequestRecord,
): Promise<string | null> {
  const reviews = await listReviews(store.durable, record.id, reviewsMax)
  return describeHold({ record, reviews, requiresApproval }) ?? describeReadersHold({ store }, record)
}

/** An approval counts for the commit that was reviewed; a request for changes, until its author approves. */
export function describeHold({ record, reviews, requiresApproval }: HoldInput): string | null {
  if (record.isDraft) return 'This is a draft: its author considers it unfinished.'
  const failed = record.checks.find(({ state }) => state === 'failed')
  if (failed !== undefined) return `The check “${failed.name}” failed.`
  const decisions = listDecisions(reviews)
  const objection = decisions.find(({ verdict }) => verdict === 'request-changes')
  if (objection !== undefined) return `${objection.author} asked for changes and has not approved since.`
  if (!requiresApproval) return null
  const isApproved = decisions.some(
    ({ authorId, commit }) => authorId !== record.authorId && commit === record.headCommit,
  )
  return isApproved ? null : 'Nobody but its author has approved it as it is now.'
}

/** The newest verdict of each reviewer, without comments. */
function listDecisions<Review extends HoldInput['reviews'][number]>(reviews: readonly Review[]): Review[] {
  const decided = reviews.filter(({ verdict }) => verdict !== 'comment')
  return [...new Map(decided.toReversed().map((review) => [review.authorId, review])).values()]
}
