import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import {
  commentCreateSchema,
  commentSchema,
  pullRequestCreateSchema,
  pullRequestListSchema,
  pullRequestMergeSchema,
  pullRequestSchema,
  pullRequestStates,
} from '../pull-requests.ts'
import { pullRequestViewSchema } from '../pull-request-view.ts'
import { defineOperations, longTextBytesMax } from './operation.ts'
import { idParams } from './params.ts'

const tag = { name: 'Pull requests', description: 'Pull requests of the built-in host.' }

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
      'Creates a merge commit on the base branch and syncs the sites that are read from it. A draft, or a pull request with a failed check, needs an owner and `override`.',
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
})

export const publicPullRequestOperations = defineOperations(tag, {
  viewPullRequest: {
    method: 'get',
    path: '/pull/{secret}/{number}/view',
    summary: 'Get a pull request by its address',
    description:
      'Requires no key: anyone with the address may read the pull request. `secret` and `number` are the last two segments of its `url`.',
    access: 'public',
    params: z.object({ secret: z.string(), number: z.string() }),
    replies: { 200: { description: 'The pull request.', json: pullRequestViewSchema } },
  },
})
