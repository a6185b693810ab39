import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** Length limits of pull request texts, in characters. */
export const titleCharsMax = 200
export const bodyCharsMax = 60_000

const titleSchema = z
  .string()
  .trim()
  .min(1)
  .max(titleCharsMax)
  .regex(/^[^\r\n]*$/, { error: 'has more than one line' })

const bodySchema = z.string().max(bodyCharsMax)

const branchSchema = z.string().min(1).max(250)

const checkSchema = z
  .object({
    name: z.string().max(100),
    state: z.enum(['passed', 'warning', 'failed']),
    summary: z.string().max(4_000).meta({ description: 'Plain text.' }),
  })
  .meta({ id: 'PullRequestCheck' })

const tipSchema = z.object({ branch: z.string(), commit: z.string() })

export const pullRequestStates = ['open', 'merged', 'closed'] as const

export const pullRequestSchema = z
  .object({
    id: z.string(),
    number: z.number().int().meta({ description: 'Counts from 1 within the repository.' }),
    repository: z.string().meta({ description: 'Such as `default/docs`.' }),
    url: z.string().meta({ description: 'Web page of the pull request. Anyone with the address may read it.' }),
    state: z.enum(pullRequestStates),
    draft: z.boolean(),
    title: z.string(),
    body: z.string().meta({ description: 'Markdown.' }),
    head: tipSchema.meta({ description: 'The branch with the changes.' }),
    base: tipSchema.meta({ description: 'The branch to merge into.' }),
    mergeCommit: z.string().nullable(),
    jobId: z.string().nullable().meta({ description: 'The job that created it.' }),
    checks: z.array(checkSchema),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    endedAt: timestamp().nullable().meta({ description: 'When it was merged or closed.' }),
  })
  .meta({ id: 'PullRequest' })

export const pullRequestListSchema = z
  .object({ items: z.array(pullRequestSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'PullRequestList' })

export const pullRequestCreateSchema = z
  .object({
    repository: z.string().max(200).meta({ description: 'Such as `default/docs`.' }),
    branch: branchSchema.meta({ description: 'The branch with the changes. Push it first.' }),
    base: branchSchema.nullish().meta({ description: 'The branch to merge into. Default: the default branch.' }),
    title: titleSchema,
    body: bodySchema.default(''),
    draft: z.boolean().default(false),
  })
  .meta({ id: 'PullRequestCreate' })

export const pullRequestMergeSchema = z
  .object({
    head: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .nullish()
      .meta({ description: 'The commit that you reviewed. The merge is refused if the branch has moved since.' }),
    override: z.string().trim().min(1).max(500).nullish().meta({
      description:
        'Why it should be merged although it is a draft or a check failed. For owners; kept as a comment on the pull request.',
    }),
  })
  .meta({ id: 'PullRequestMerge' })

/** @returns Why a pull request does not merge without an owner's override, in a sentence; null if it may. */
export function describeHold({ draft, checks }: Pick<PullRequestResource, 'draft' | 'checks'>): string | null {
  if (draft) return 'This is a draft: its author considers it unfinished.'
  const failed = checks.find(({ state }) => state === 'failed')
  return failed === undefined ? null : `The check “${failed.name}” failed.`
}

export const commentCreateSchema = z
  .object({ body: bodySchema.trim().min(1).meta({ description: 'Markdown.' }) })
  .meta({ id: 'CommentCreate' })

export const commentSchema = z
  .object({ id: z.string(), author: z.string(), body: z.string(), createdAt: timestamp() })
  .meta({ id: 'Comment' })

export type PullRequestResource = z.output<typeof pullRequestSchema>
