import { z } from 'zod'
import type { BranchTip, PullRequest, PullRequestState } from '../code-host.ts'
import { readDraftTitle } from '../forge/draft-title.ts'

/** The fields read of a project. @see https://docs.gitlab.com/api/projects/#retrieve-a-project */
export const gitlabProjectSchema = z.object({
  id: z.number().int(),
  path_with_namespace: z.string(),
  /** Null while the repository is empty. */
  default_branch: z.string().nullish(),
  visibility: z.enum(['private', 'internal', 'public']).nullish().catch(null),
  merge_requests_enabled: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  /** Of the token's user; absent if not a member. */
  permissions: z
    .object({
      project_access: z.object({ access_level: z.number() }).nullish(),
      group_access: z.object({ access_level: z.number() }).nullish(),
    })
    .nullish(),
})
export type GitlabProject = z.infer<typeof gitlabProjectSchema>

export const gitlabBranchSchema = z.object({ name: z.string(), commit: z.object({ id: z.string() }) })

/** @see https://docs.gitlab.com/api/merge_requests/#retrieve-a-merge-request */
export const gitlabMergeRequestSchema = z.object({
  iid: z.number().int(),
  web_url: z.string(),
  state: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  draft: z.boolean().nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number().nullish(),
  /** Null briefly after the merge request is opened. */
  sha: z.string().nullish(),
  diff_refs: z.object({ start_sha: z.string().nullish() }).nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  has_conflicts: z.boolean().nullish(),
  merge_status: z.string().nullish(),
  detailed_merge_status: z.string().nullish(),
  reviewers: z.array(z.object({ id: z.number() })).nullish(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type GitlabMergeRequest = z.infer<typeof gitlabMergeRequestSchema>

export const gitlabIssueSchema = z
  .object({ web_url: z.string(), description: z.string().nullish() })
  .transform(({ web_url: url, description: body }) => ({ url, body }))

export const gitlabNoteSchema = z.object({ id: z.number().int(), body: z.string().nullish() })

export const gitlabHookSchema = z.object({ id: z.number().int(), url: z.string() })

export const gitlabUserSchema = z.object({ id: z.number().int(), username: z.string(), state: z.string().nullish() })

export const gitlabMemberSchema = z.object({ access_level: z.number(), state: z.string().nullish() })

export const gitlabTokenSchema = z.object({ scopes: z.array(z.string()), expires_at: z.string().nullish() })

/** The draft prefix that GitLab itself uses. */
export const gitlabDraftMark = 'Draft: '

/** @see https://docs.gitlab.com/user/project/merge_requests/drafts/ */
const draftMark = /^(?:\[(?:draft|wip)\]|\(draft\)|(?:draft|wip):)/i

/**
 * @param tips Current tips of an open merge request's branches, because GitLab updates its own some time after a push.
 *   Null for a deleted branch.
 */
export function toPullRequest(
  merge: GitlabMergeRequest,
  tips: { head: string | null; base: string | null },
): PullRequest {
  const state = readState(merge.state)
  const read = readDraftTitle(merge.title, draftMark)
  const head: BranchTip = { branch: merge.source_branch, commit: tips.head ?? merge.sha ?? '' }
  return {
    id: String(merge.iid),
    number: merge.iid,
    url: merge.web_url,
    state,
    isDraft: merge.draft ?? read.isDraft,
    isFromFork: merge.source_project_id == null || merge.source_project_id !== merge.target_project_id,
    title: read.title,
    body: merge.description ?? '',
    head,
    base: { branch: merge.target_branch, commit: tips.base ?? merge.diff_refs?.start_sha ?? '' },
    mergeCommit: state === 'merged' ? (merge.merge_commit_sha ?? merge.squash_commit_sha ?? head.commit) : null,
    isMergeable: state === 'open' ? readMergeability(merge) : null,
    createdAt: Date.parse(merge.created_at),
    updatedAt: Date.parse(merge.updated_at),
  }
}

/** A locked one is being merged. */
function readState(state: string): PullRequestState {
  return state === 'merged' || state === 'closed' ? state : 'open'
}

/** GitLab is still checking. */
const unsettled = new Set(['unchecked', 'checking', 'preparing', 'approvals_syncing', 'cannot_be_merged_recheck'])

/**
 * Whether the branches merge cleanly, ignoring GitLab's other conditions (approvals, pipelines, draft state). One field
 * reports conflicts, the other whether GitLab has checked.
 */
function readMergeability(merge: GitlabMergeRequest): boolean | null {
  const statuses = [merge.detailed_merge_status, merge.merge_status]
  if (statuses.some((status) => status != null && unsettled.has(status))) return null
  if (merge.detailed_merge_status === 'conflict' || merge.has_conflicts === true) return false
  if (merge.merge_status === 'cannot_be_merged' || merge.detailed_merge_status === 'broken_status') return false
  return merge.has_conflicts === false ? true : null
}
