import { z } from 'zod'
import { readersChangeSchema } from './counterfactual.ts'
import { fileDiffSchema } from './agent-job-diff.ts'
import { commentSchema, reviewSchema, threadSchema } from './pull-request-review.ts'
import { pullRequestSchema } from './pull-requests.ts'
import { timestamp } from './timestamp.ts'

const shortCommit = () => z.string().meta({ description: 'The first seven digits of the commit.' })

/** A pull request as its page shows it to anyone with its address. */
export const pullRequestViewSchema = pullRequestSchema
  .pick({ number: true, repository: true, state: true, draft: true, title: true, body: true, checks: true, hold: true })
  .extend({
    headBranch: z.string(),
    baseBranch: z.string(),
    createdAt: timestamp(),
    endedAt: timestamp().nullable(),
    endedBy: z.string().nullable().meta({ description: 'Who merged or closed it.' }),
    mergeCommit: shortCommit().nullable(),
    commits: z
      .array(z.object({ commit: shortCommit(), title: z.string(), authorName: z.string(), authoredAt: timestamp() }))
      .meta({ description: 'Oldest first, at most 100.' }),
    files: z
      .array(
        fileDiffSchema.extend({
          blob: z.string().meta({ description: 'Id of its content; of a deleted file, of the content before.' }),
          isPage: z.boolean().meta({ description: 'Whether it may be a page of a site, which `/page` compares.' }),
          isViewed: z.boolean().meta({ description: 'Whether the member of the session has viewed this content.' }),
        }),
      )
      .meta({ description: 'In the order of their paths, at most 200.' }),
    filesTotal: z.number().int(),
    comments: z.array(commentSchema).meta({ description: 'On the pull request as a whole, oldest first. Markdown.' }),
    threads: z.array(threadSchema).meta({ description: 'Comments on lines, oldest first, at most 200.' }),
    reviews: z.array(reviewSchema).meta({ description: 'Newest first, at most 100.' }),
    isBehind: z.boolean().meta({ description: 'Whether the base branch has commits that the branch lacks.' }),
    mergeability: z.object({
      kind: z.enum(['mergeable', 'conflict', 'nothing-to-merge', 'branch-gone', 'unrelated', 'ended']),
      files: z.array(z.string()).meta({ description: 'The files of a conflict.' }),
    }),
    readers: z.array(readersChangeSchema).meta({
      description:
        'What it changes for readers of each site. Questions of readers are left out without such a session.',
    }),
    member: z.object({ id: z.string(), headCommit: z.string(), jobId: z.string().nullable() }).nullable().meta({
      description:
        'What the admin API takes to merge, close or comment, and the job that opened it. Null without a session of its organization.',
    }),
  })
  .meta({ id: 'PullRequestView' })

export const changedAddressesSchema = z
  .object({
    addresses: z
      .array(
        z.object({ site: z.string(), before: z.string().nullable(), after: z.string().nullable(), file: z.string() }),
      )
      .meta({ description: 'Addresses of pages that the merge adds, removes or moves; at most 500.' }),
    total: z.number().int(),
  })
  .meta({ id: 'ChangedAddresses' })

export type ChangedAddresses = z.output<typeof changedAddressesSchema>

export type PullRequestFile = PullRequestViewResource['files'][number]

export type PullRequestViewResource = z.output<typeof pullRequestViewSchema>
