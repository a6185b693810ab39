import { z } from 'zod'
import type { PullRequest, PullRequestState } from '../code-host.ts'
import { readDraftTitle } from '../forge/draft-title.ts'

/** The fields read of a repository. @see https://docs.gitea.com/api/ (`repoGet`) */
export const giteaRepositorySchema = z.object({
  id: z.number().int(),
  full_name: z.string(),
  default_branch: z.string(),
  empty: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  has_pull_requests: z.boolean().nullish(),
  /** Permissions of the token's user. */
  permissions: z.object({ admin: z.boolean().nullish(), push: z.boolean().nullish() }).nullish(),
})
export type GiteaRepository = z.infer<typeof giteaRepositorySchema>

const sideSchema = z.object({
  /** The branch name; `ref` becomes the pull request's ref once the branch is gone. */
  label: z.string().nullish(),
  ref: z.string(),
  sha: z.string(),
  repo_id: z.number().nullish(),
})

export const giteaPullRequestSchema = z.object({
  number: z.number().int(),
  html_url: z.string(),
  state: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  merged: z.boolean().nullish(),
  mergeable: z.boolean().nullish(),
  merge_base: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  head: sideSchema,
  base: sideSchema,
  created_at: z.string(),
  updated_at: z.string(),
})
export type GiteaPullRequest = z.infer<typeof giteaPullRequestSchema>

export const giteaIssueSchema = z
  .object({ html_url: z.string(), body: z.string().nullish() })
  .transform(({ html_url: url, body }) => ({ url, body }))

export const giteaCommentSchema = z.object({ id: z.number().int(), body: z.string().nullish() })

export const giteaHookSchema = z
  .object({ id: z.number().int(), config: z.record(z.string(), z.string()).nullish() })
  .transform(({ id, config }) => ({ id, url: config?.['url'] ?? null }))

export const giteaLabelSchema = z.object({ id: z.number().int(), name: z.string() })

export const giteaPermissionSchema = z.object({ permission: z.string() })

/** Default draft prefixes of Gitea and Forgejo, which are configurable. */
export const giteaDraftMark = 'WIP: '

const draftMark = /^(?:\[wip\]|wip:)/i

/** The branch with the changes, even if deleted; `refs/pull/7/head` is not a branch. */
export function readHeadBranch({ head }: Pick<GiteaPullRequest, 'head'>): string {
  const isGone = head.ref.startsWith('refs/pull/')
  return isGone && head.label != null && head.label !== '' ? head.label : head.ref
}

/** Whether its branch is in the repository itself, not in a fork. */
export function isOwnBranch({ head, base }: GiteaPullRequest): boolean {
  return head.repo_id === base.repo_id
}

export function toPullRequest(pull: GiteaPullRequest): PullRequest {
  const state: PullRequestState = pull.merged === true ? 'merged' : pull.state === 'open' ? 'open' : 'closed'
  const read = readDraftTitle(pull.title, draftMark)
  const isDraft = pull.draft ?? read.isDraft
  return {
    id: String(pull.number),
    number: pull.number,
    url: pull.html_url,
    state,
    isDraft,
    isFromFork: pull.head.repo_id == null || !isOwnBranch(pull),
    // A prefix that this installation does not recognize is part of the title.
    title: isDraft ? read.title : pull.title,
    body: pull.body ?? '',
    head: { branch: readHeadBranch(pull), commit: pull.head.sha },
    base: { branch: pull.base.ref, commit: pull.base.sha },
    mergeCommit: state === 'merged' ? (pull.merge_commit_sha ?? null) : null,
    isMergeable: state === 'open' ? readMergeability(pull, isDraft) : null,
    createdAt: Date.parse(pull.created_at),
    updatedAt: Date.parse(pull.updated_at),
  }
}

/**
 * Gitea answers false for drafts and while it is still checking, too, so false does not prove a conflict. A branch that
 * starts at the newest commit of its base cannot conflict.
 */
function readMergeability({ mergeable, merge_base: mergeBase, base }: GiteaPullRequest, isDraft: boolean) {
  if (mergeable === true) return true
  if (mergeable == null || isDraft || mergeBase === base.sha) return null
  return false
}
