import { pullRequestOperations, publicPullRequestOperations } from '../../../src/contract/operations/pull-requests.ts'
import { call, queryOf } from './call.ts'

export function pullRequestQuery(id: string) {
  return queryOf(pullRequestOperations.getPullRequest, { params: { id } })
}

/** The public view: needs only the address. */
export function pullRequestViewQuery(params: { secret: string; number: string }) {
  return queryOf(publicPullRequestOperations.viewPullRequest, { params })
}

/** @param head The commit that was reviewed. The service refuses if the head has moved. */
export function mergePullRequest(id: string, head: string) {
  return call(pullRequestOperations.mergePullRequest, { params: { id }, body: { head } })
}

export function closePullRequest(id: string) {
  return call(pullRequestOperations.closePullRequest, { params: { id } })
}

export function commentOnPullRequest(id: string, body: string) {
  return call(pullRequestOperations.commentOnPullRequest, { params: { id }, body: { body } })
}
