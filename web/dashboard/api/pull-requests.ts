import { pullRequestOperations, publicPullRequestOperations } from '../../../src/contract/operations/pull-requests.ts'
import type { z } from 'zod'
import type {
  reviewCreateSchema,
  suggestionsApplySchema,
  threadCreateSchema,
  viewedFileSchema,
} from '../../../src/contract/pull-request-review.ts'
import type { MergeMethod } from '../../../src/contract/pull-requests.ts'
import { call, queryOf } from './call.ts'

export function pullRequestQuery(id: string) {
  return queryOf(pullRequestOperations.getPullRequest, { params: { id } })
}

interface AddressParts {
  secret: string
  number: string
}

/** The public view: needs only the address. */
export function pullRequestViewQuery({ secret, number }: AddressParts, whitespace: 'shown' | 'ignored' = 'shown') {
  const input = { params: { secret, number }, query: { whitespace } }
  return queryOf(publicPullRequestOperations.viewPullRequest, input)
}

export function changedAddressesQuery(params: AddressParts) {
  return queryOf(publicPullRequestOperations.listChangedAddresses, { params: { ...params } })
}

interface MergeRequest {
  id: string
  /** The commit that was reviewed. The service refuses if the head has moved. */
  head: string
  /** Why it is merged although it is a draft or a check failed; empty if neither is so. */
  override: string
  method: MergeMethod
  message: string
}

export function mergePullRequest({ id, override, ...rest }: MergeRequest) {
  const body = { ...rest, ...(override !== '' && { override }) }
  return call(pullRequestOperations.mergePullRequest, { params: { id }, body })
}

export function closePullRequest(id: string) {
  return call(pullRequestOperations.closePullRequest, { params: { id } })
}

export function reopenPullRequest(id: string) {
  return call(pullRequestOperations.reopenPullRequest, { params: { id } })
}

export function revertPullRequest(id: string) {
  return call(pullRequestOperations.revertPullRequest, { params: { id } })
}

export function setPullRequestDraft(id: string, draft: boolean) {
  return call(pullRequestOperations.updatePullRequest, { params: { id }, body: { draft } })
}

export function updatePullRequestBranch(id: string, head: string) {
  return call(pullRequestOperations.updatePullRequestBranch, { params: { id }, body: { head } })
}

export function reviewPullRequest(id: string, body: z.input<typeof reviewCreateSchema>) {
  return call(pullRequestOperations.reviewPullRequest, { params: { id }, body })
}

export function startReviewThread(id: string, body: z.input<typeof threadCreateSchema>) {
  return call(pullRequestOperations.startReviewThread, { params: { id }, body })
}

export function updatePullRequestComment(id: string, commentId: string, body: string) {
  return call(pullRequestOperations.updatePullRequestComment, { params: { id, commentId }, body: { body } })
}

export function deletePullRequestComment(id: string, commentId: string) {
  return call(pullRequestOperations.deletePullRequestComment, { params: { id, commentId } })
}

export function replyToReviewThread({ id, threadId }: ThreadPlace, body: string) {
  return call(pullRequestOperations.replyToReviewThread, { params: { id, threadId }, body: { body } })
}

export function resolveReviewThread({ id, threadId }: ThreadPlace, resolved: boolean) {
  return call(pullRequestOperations.resolveReviewThread, { params: { id, threadId }, body: { resolved } })
}

export function applySuggestions(id: string, body: z.input<typeof suggestionsApplySchema>) {
  return call(pullRequestOperations.applySuggestions, { params: { id }, body })
}

export function markFileViewed(id: string, body: z.input<typeof viewedFileSchema>) {
  return call(pullRequestOperations.markFileViewed, { params: { id }, body })
}

/** Ids of a pull request and of one of its threads. */
interface ThreadPlace {
  id: string
  threadId: string
}

/** @param asksAgent Whether the agent that opened the pull request is to work on it. */
export function commentOnPullRequest(id: string, body: string, asksAgent = false) {
  return call(pullRequestOperations.commentOnPullRequest, { params: { id }, body: { body, asksAgent } })
}
