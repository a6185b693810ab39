import type { z } from 'zod'
import type { PullRequest } from '../code-host.ts'
import type { PullRequestChange } from '../forge/forge-code-host.ts'
import { hasReason } from '../forge/forge-error.ts'
import type { GithubApi } from './github-api.ts'
import { pullSchema } from './github-replies.ts'

export type GithubPull = z.infer<typeof pullSchema>

/** REST accepts `draft` only when opening a pull request. */
const markReady =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }'
const convertToDraft =
  'mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }'

/** Updates the given fields that differ; the draft state only while open. */
export async function changePull(
  api: GithubApi,
  number: number,
  { isDraft, ...texts }: PullRequestChange,
  signal: AbortSignal,
): Promise<GithubPull> {
  const before = await readPull(api, number, signal)
  const isSwitched = isDraft !== undefined && isDraft !== (before.draft ?? false) && before.state === 'open'
  if (isSwitched) {
    const mutation = isDraft ? convertToDraft : markReady
    await api.mutate({ mutation, id: before.node_id }, signal).catch((error: unknown) => {
      // On a plan without drafts it stays ready, just as when opening.
      if (!(isDraft && hasReason(error, 'invalid'))) throw error
    })
  }
  const isKnown = texts.title === before.title && texts.body === (before.body ?? '')
  const isEmpty = Object.keys(texts).length === 0
  return isEmpty || isKnown ? readPull(api, number, signal) : patchPull(api, number, texts, signal)
}

export function readPull(api: GithubApi, number: number, signal: AbortSignal): Promise<GithubPull> {
  const parameters = { pull_number: number }
  return api.call({ route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}', parameters, reply: pullSchema }, signal)
}

export function patchPull(
  api: GithubApi,
  number: number,
  changes: { title?: string; body?: string; state?: 'closed' },
  signal: AbortSignal,
): Promise<GithubPull> {
  const parameters = { pull_number: number, ...changes }
  const call = { route: 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}', parameters, reply: pullSchema } as const
  return api.call(call, signal)
}

export function toPullRequest(pull: GithubPull): PullRequest {
  const { number, state, merged_at: mergedAt, head, base } = pull
  const isMerged = mergedAt !== null && mergedAt !== undefined
  return {
    id: String(number),
    number,
    url: pull.html_url,
    state: isMerged ? 'merged' : state,
    isDraft: pull.draft ?? false,
    isFromFork: head.repo == null || head.repo.id !== base.repo?.id,
    title: pull.title,
    body: pull.body ?? '',
    head: { branch: head.ref, commit: head.sha },
    base: { branch: base.ref, commit: base.sha },
    // Until it ends, this is GitHub's test merge commit.
    mergeCommit: isMerged ? (pull.merge_commit_sha ?? null) : null,
    isMergeable: state === 'open' ? (pull.mergeable ?? null) : null,
    createdAt: Date.parse(pull.created_at),
    updatedAt: Date.parse(pull.updated_at),
  }
}
