import { pullRequestOperations, publicPullRequestOperations } from '../../../src/contract/operations/pull-requests.ts'
import { call, queryOf } from './call.ts'

export function pullRequestQuery(id: string) {
  return queryOf(pullRequestOperations.getPullRequest, { params: { id } })
}

/** The public view: needs only the address. */
export function pullRequestViewQuery(params: { secret: string; number: string }) {
  return queryOf(publicPullRequestOperations.viewPullRequest, { params })
}

interface MergeRequest {
  id: string
  /** The commit that was reviewed. The service refuses if the head has moved. */
  head: string
  /** Why it is merged although it is a draft or a check failed; empty if neither is so. */
  override: string
}

export function mergePullRequest({ id, head, override }: MergeRequest) {
  const body = { head, ...(override !== '' && { override }) }
  return call(pullRequestOperations.mergePullRequest, { params: { id }, body })
}

export function closePullRequest(id: string) {
  return call(pullRequestOperations.closePullRequest, { params: { id } })
}

export function commentOnPullRequest(id: string, body: string) {
  return call(pullRequestOperations.commentOnPullRequest, { params: { id }, body: { body } })
}
