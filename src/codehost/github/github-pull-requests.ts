import type { z } from 'zod'
import type { OpenPullRequestInput, PullRequest, UpdatePullRequestInput } from '../code-host.ts'
import { hasReason } from '../forge/forge-error.ts'
import type { GithubApi } from './github-api.ts'
import { pullSchema } from './github-replies.ts'
import { boundBody, boundTitle } from '../pull-request-bounds.ts'
import { pullRequestNotFound } from '../pull-request-number.ts'

export type GithubPull = z.infer<typeof pullSchema>

/** GitHub's largest page; one branch hardly has more. */
const pullsMax = 100

/** REST accepts `draft` only when opening a pull request. */
const markReady =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } } }'
const convertToDraft =
  'mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }'

/** @param input.owner The branch's owner: the repository's current one. */
export async function findPull(
  api: GithubApi,
  { owner, branch }: { owner: string; branch: string },
  signal: AbortSignal,
): Promise<GithubPull | null> {
  const parameters = {
    state: 'all',
    head: `${owner}:${branch}`,
    sort: 'created',
    direction: 'desc',
    per_page: pullsMax,
  } as const
  const call = { route: 'GET /repos/{owner}/{repo}/pulls', parameters, reply: pullSchema.array() } as const
  const pulls = await api.call(call, signal)
  // GitHub ignores a filter that it cannot parse, which would return other people's pull requests.
  const own = pulls.filter(({ head }) => head.ref === branch)
  return own.find(({ state }) => state === 'open') ?? own[0] ?? null
}

/**
 * One open pull request per branch. GitHub rejects a second one for the same two branches, so of several concurrent
 * attempts, all but one find the first's.
 */
export async function openPull(
  api: GithubApi,
  input: OpenPullRequestInput & { owner: string; base: string },
  signal: AbortSignal,
): Promise<GithubPull> {
  const { title, body, isDraft } = input
  const before = await findPull(api, input, signal)
  if (before?.state === 'open') return updatePull(api, before, { title, body, isDraft }, signal)
  try {
    return await createPull(api, input, signal)
  } catch (error) {
    if (!hasReason(error, 'invalid')) throw error
    const meanwhile = await findPull(api, input, signal)
    if (meanwhile?.state === 'open') return updatePull(api, meanwhile, { title, body, isDraft }, signal)
    // Only some of GitHub's plans have drafts in private repositories.
    if (isDraft && /draft/i.test(error.message)) return createPull(api, { ...input, isDraft: false }, signal)
    throw error
  }
}

function createPull(
  api: GithubApi,
  { branch, base, title, body, isDraft }: OpenPullRequestInput & { base: string },
  signal: AbortSignal,
): Promise<GithubPull> {
  const parameters = { head: branch, base, title: boundTitle(title), body: boundBody(body), draft: isDraft }
  return api.call({ route: 'POST /repos/{owner}/{repo}/pulls', parameters, reply: pullSchema }, signal)
}

/** Updates the given fields that differ; the draft state only while open. */
export async function updatePull(
  api: GithubApi,
  before: GithubPull,
  { title, body, isDraft }: Omit<UpdatePullRequestInput, 'id' | 'checks'>,
  signal: AbortSignal,
): Promise<GithubPull> {
  const isSwitched = isDraft !== undefined && isDraft !== (before.draft ?? false) && before.state === 'open'
  if (isSwitched) {
    const mutation = isDraft ? convertToDraft : markReady
    await api.mutate({ mutation, id: before.node_id }, signal).catch((error: unknown) => {
      // On a plan without drafts it stays ready, just as when opening.
      if (!(isDraft && hasReason(error, 'invalid'))) throw error
    })
  }
  const texts = {
    ...(title === undefined ? {} : { title: boundTitle(title) }),
    ...(body === undefined ? {} : { body: boundBody(body) }),
  }
  const isTold = texts.title === before.title && texts.body === (before.body ?? '')
  if (Object.keys(texts).length === 0 || isTold) return readPull(api, before.number, signal)
  return patchPull(api, before.number, texts, signal)
}

/** @throws {AppError} `pull_request_not_found`. */
export async function readPull(api: GithubApi, number: number, signal: AbortSignal): Promise<GithubPull> {
  const parameters = { pull_number: number }
  const call = { route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}', parameters, reply: pullSchema } as const
  const pull = await api.find(call, signal)
  if (pull === null) throw pullRequestNotFound(String(number))
  return pull
}

export async function closePull(api: GithubApi, number: number, signal: AbortSignal): Promise<GithubPull> {
  const before = await readPull(api, number, signal)
  return before.state === 'closed' ? before : patchPull(api, number, { state: 'closed' }, signal)
}

function patchPull(
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
