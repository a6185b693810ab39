import { createContext, use } from 'react'
import type { DiffSide } from '../../../../src/contract/pull-request-review.ts'
import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import type { PullRequestAddress } from './pull-request-address.ts'

/** A comment on lines that is being written; one at a time. */
export interface LineDraft {
  path: string
  side: DiffSide
  firstLine: number
  lastLine: number
  body: string
}

/** What the sections of a pull request's page share. */
export interface Review {
  pullRequest: PullRequestViewResource
  address: PullRequestAddress
  /** What the member may change it with; null for viewers, and without a session of its organization. */
  editor: { id: string; headCommit: string } | null
  draft: LineDraft | null
  setDraft(draft: LineDraft | null): void
  /** Comments whose suggestions are applied together. */
  batch: readonly string[]
  setBatch(batch: readonly string[]): void
  ignoresWhitespace: boolean
  setIgnoresWhitespace(isIgnored: boolean): void
}

export const ReviewContext = createContext<Review | null>(null)

export function useReview(): Review {
  const review = use(ReviewContext)
  if (review === null) throw new Error('This is part of the page of a pull request.')
  return review
}
