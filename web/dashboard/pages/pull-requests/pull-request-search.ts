import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'

/** What narrows the list. It stands in the address. */
export interface PullRequestSearch {
  repository?: string
  state?: PullRequestResource['state']
}

const states: readonly PullRequestResource['state'][] = ['open', 'merged', 'closed']
const nameCharsMax = 200

/** Takes what can be meant out of the query of an address. */
export function readPullRequestSearch(query: Record<string, unknown>): PullRequestSearch {
  const { repository } = query
  const state = states.find((state) => state === query['state'])
  return {
    ...(typeof repository === 'string' && repository !== '' && { repository: repository.slice(0, nameCharsMax) }),
    ...(state !== undefined && { state }),
  }
}
