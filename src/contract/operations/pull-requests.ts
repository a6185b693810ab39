import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import {
  branchUpdateSchema,
  commentCreateSchema,
  commentSchema,
  commentUpdateSchema,
  reviewCreateSchema,
  reviewSchema,
  suggestionsApplySchema,
  threadCreateSchema,
  threadSchema,
  threadUpdateSchema,
  viewedFileSchema,
} from '../pull-request-review.ts'
import {
  pullRequestCreateSchema,
  pullRequestListSchema,
  pullRequestMergeSchema,
  pullRequestSchema,
  pullRequestStates,
  pullRequestUpdateSchema,
} from '../pull-requests.ts'
import { changedAddressesSchema, pullRequestViewSchema } from '../pull-request-view.ts'
import { defineOperations, longTextBytesMax } from './operation.ts'
import { idParams } from './params.ts'

const tag = { name: 'Pull requests', description: 'Pull requests of the built-in host.' }

const commentParams = idParams.extend({ commentId: z.string().meta({ description: 'Id of the comment.' }) })
const threadParams = idParams.extend({ threadId: z.string().meta({ description: 'Id of the thread.' }) })

const addressParams = z.object({ secret: z.string(), number: z.string() })

export const pullRequestOperations = defineOperations(tag, {
  listPullRequests: {
    method: 'get',
    path: '/admin/v1/pull-requests',
    summary: 'List pull requests of the built-in host',
    access: 'viewer',
    query: listQuerySchema.extend({
      repository: z
        .string()
        .optional()
        .meta({ description: 'Only pull requests of this repository, such as `default/docs`.' }),
      state: z.enum(pullRequestStates).optional(),
    }),
    replies: { 200: { description: 'Pull requests, newest first.', json: pullRequestListSchema } },
    errors: [404],
  },
  openPullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests',
    summary: 'Open a pull request for a branch',
    description:
      'A branch has at most one open pull request. If there already is one, its title and description are updated.',
    access: 'editor',
    audit: 'pull-request-opened',
    body: pullRequestCreateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 201: { description: 'The pull request.', json: pullRequestSchema } },
    errors: [404],
  },
  getPullRequest: {
    method: 'get',
    path: '/admin/v1/pull-requests/{id}',
    summary: 'Get a pull request',
    access: 'viewer',
    params: idParams,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
  },
  mergePullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/merge',
    summary: 'Merge a pull request',
    description:
      'Creates one commit on the base branch and syncs the sites that follow it. If `hold` is set, this requires an owner and `override`.',
    access: 'editor',
    audit: 'pull-request-merged',
    params: idParams,
    body: pullRequestMergeSchema,
    isBodyOptional: true,
    bodyBytesMax: longTextBytesMax,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
    errors: [409],
  },
  closePullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/close',
    summary: 'Close a pull request without merging',
    description: 'A pull request that was already merged or closed is not changed.',
    access: 'editor',
    audit: 'pull-request-closed',
    params: idParams,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
  },
  commentOnPullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/comments',
    summary: 'Comment on a pull request',
    access: 'editor',
    audit: 'pull-request-commented',
    params: idParams,
    body: commentCreateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 201: { description: 'The comment.', json: commentSchema } },
  },
  updatePullRequestComment: {
    method: 'patch',
    path: '/admin/v1/pull-requests/{id}/comments/{commentId}',
    summary: 'Edit your own comment',
    description: 'Comments on lines too. The agent does not read it again.',
    access: 'editor',
    audit: 'pull-request-comment-edited',
    params: commentParams,
    body: commentUpdateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 200: { description: 'The comment.', json: commentSchema } },
    errors: [409],
  },
  deletePullRequestComment: {
    method: 'delete',
    path: '/admin/v1/pull-requests/{id}/comments/{commentId}',
    summary: 'Delete a comment',
    description:
      "Editors can delete their own comments, and owners anybody's. Comments by the service, such as an override, stay.",
    access: 'editor',
    audit: 'pull-request-comment-deleted',
    params: commentParams,
    replies: { 204: { description: 'The comment was deleted.' } },
    errors: [409],
  },
  updatePullRequest: {
    method: 'patch',
    path: '/admin/v1/pull-requests/{id}',
    summary: 'Change the title, the description or the draft state of a pull request',
    access: 'editor',
    audit: 'pull-request-updated',
    params: idParams,
    body: pullRequestUpdateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
  },
  reopenPullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/reopen',
    summary: 'Reopen a closed pull request',
    access: 'editor',
    audit: 'pull-request-reopened',
    params: idParams,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
    errors: [409],
  },
  reviewPullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/reviews',
    summary: 'Approve a pull request, or request changes',
    description:
      'A request for changes blocks the merge until its author approves. With `DOCENT_REQUIRE_APPROVAL`, somebody other than the author must approve the newest commit.',
    access: 'editor',
    audit: 'pull-request-reviewed',
    params: idParams,
    body: reviewCreateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 201: { description: 'The review.', json: reviewSchema } },
    errors: [409],
  },
  startReviewThread: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/threads',
    summary: 'Comment on lines of a changed file',
    access: 'editor',
    audit: 'pull-request-commented',
    params: idParams,
    body: threadCreateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 201: { description: 'The thread.', json: threadSchema } },
    errors: [409],
  },
  replyToReviewThread: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/threads/{threadId}/comments',
    summary: 'Reply to a comment on lines',
    access: 'editor',
    audit: 'pull-request-commented',
    params: threadParams,
    body: commentCreateSchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 201: { description: 'The comment.', json: commentSchema } },
  },
  resolveReviewThread: {
    method: 'patch',
    path: '/admin/v1/pull-requests/{id}/threads/{threadId}',
    summary: 'Resolve a comment on lines, or reopen it',
    access: 'editor',
    audit: 'pull-request-thread-resolved',
    params: threadParams,
    body: threadUpdateSchema,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
  },
  applySuggestions: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/suggestions',
    summary: 'Apply suggested changes in one commit',
    description:
      'The commit is checked like those of the agent: secrets, and code that runs when the site is built or read, are refused.',
    access: 'editor',
    audit: 'pull-request-suggestions-applied',
    params: idParams,
    body: suggestionsApplySchema,
    bodyBytesMax: longTextBytesMax,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
    errors: [409],
  },
  updatePullRequestBranch: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/update-branch',
    summary: 'Merge the base branch into the branch of a pull request',
    description: 'Refused with `merge_conflict` and the names of the files if both changed the same lines.',
    access: 'editor',
    audit: 'pull-request-branch-updated',
    params: idParams,
    body: branchUpdateSchema,
    replies: { 200: { description: 'The pull request.', json: pullRequestSchema } },
    errors: [409],
  },
  revertPullRequest: {
    method: 'post',
    path: '/admin/v1/pull-requests/{id}/revert',
    summary: 'Undo a merged pull request in a new one',
    description: 'Repeating it returns the pull request that is open.',
    access: 'editor',
    audit: 'pull-request-opened',
    params: idParams,
    replies: { 201: { description: 'The new pull request.', json: pullRequestSchema } },
    errors: [409],
  },
  markFileViewed: {
    method: 'put',
    path: '/admin/v1/pull-requests/{id}/viewed-files',
    summary: 'Mark a file of a pull request as viewed',
    description: 'Stored per member and content, so it requires a session.',
    access: 'editor',
    params: idParams,
    body: viewedFileSchema,
    replies: { 204: { description: 'The file is marked.' } },
  },
})

export const publicPullRequestOperations = defineOperations(tag, {
  viewPullRequest: {
    method: 'get',
    path: '/pull/{secret}/{number}/view',
    summary: 'Get a pull request by its address',
    description:
      'Requires no key: anyone with the address may read the pull request. `secret` and `number` are the last two segments of its `url`.',
    access: 'public',
    params: addressParams,
    query: z.object({
      whitespace: z
        .enum(['shown', 'ignored'])
        .default('shown')
        .meta({ description: 'Whether lines that differ only in white space count as changed.' }),
    }),
    replies: { 200: { description: 'The pull request.', json: pullRequestViewSchema } },
  },
  listChangedAddresses: {
    method: 'get',
    path: '/pull/{secret}/{number}/addresses',
    summary: 'List the addresses of pages that a pull request changes',
    description: 'Requires no key, like `/view`. Reads the sites of the repository before and after the change.',
    access: 'public',
    params: addressParams,
    replies: { 200: { description: 'The addresses.', json: changedAddressesSchema } },
  },
})
