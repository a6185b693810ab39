import { z } from 'zod'
import { fileDiffSchema } from './agent-job-diff.ts'
import { pullRequestSchema } from './pull-requests.ts'
import { timestamp } from './timestamp.ts'

const shortCommit = () => z.string().meta({ description: 'The first seven digits of the commit.' })

/** A pull request as its page shows it to whoever has its address. */
export const pullRequestViewSchema = pullRequestSchema
  .pick({ number: true, repository: true, state: true, draft: true, title: true, body: true, checks: true })
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
    files: z.array(fileDiffSchema).meta({ description: 'In the order of their paths, at most 200.' }),
    filesTotal: z.number().int(),
    comments: z
      .array(z.object({ author: z.string(), body: z.string(), createdAt: timestamp() }))
      .meta({ description: 'Oldest first, at most 200. Markdown.' }),
    mergeability: z.object({
      kind: z.enum(['mergeable', 'conflict', 'nothing-to-merge', 'branch-gone', 'unrelated', 'ended']),
      files: z.array(z.string()).meta({ description: 'The files of a conflict.' }),
    }),
    member: z.object({ id: z.string(), headCommit: z.string() }).nullable().meta({
      description: 'What the admin API takes to merge, close or comment. Null without a session of its organization.',
    }),
  })
  .meta({ id: 'PullRequestView' })

export type PullRequestViewResource = z.output<typeof pullRequestViewSchema>
