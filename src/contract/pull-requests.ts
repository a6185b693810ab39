import { z } from 'zod'
import { pageOf } from './page-of.ts'
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

export const mergeMethods = ['merge', 'squash'] as const
export type MergeMethod = (typeof mergeMethods)[number]

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
    hold: z.string().nullable().meta({
      description:
        "Why it does not merge without an owner's override, in a sentence: it is a draft, a check failed, somebody asked for changes, or an approval is missing. Null if it may.",
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    endedAt: timestamp().nullable().meta({ description: 'When it was merged or closed.' }),
  })
  .meta({ id: 'PullRequest' })

export const pullRequestListSchema = pageOf(pullRequestSchema, 'PullRequestList')

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

export const pullRequestUpdateSchema = z
  .object({
    title: titleSchema.optional(),
    body: bodySchema.optional(),
    draft: z.boolean().optional().meta({ description: 'False once it is ready for review.' }),
  })
  .meta({ id: 'PullRequestUpdate' })

export const pullRequestMergeSchema = z
  .object({
    head: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/)
      .nullish()
      .meta({ description: 'The commit that you reviewed. The merge is refused if the branch has moved since.' }),
    method: z.enum(mergeMethods).default('merge').meta({ description: '`squash` makes one commit of all changes.' }),
    message: z.string().trim().min(1).max(10_000).nullish().meta({
      description: 'Message of the commit. Default: the number and the title of the pull request.',
    }),
    override: z.string().trim().min(1).max(500).nullish().meta({
      description: 'Why it should be merged in spite of `hold`. For owners; kept as a comment on the pull request.',
    }),
  })
  .meta({ id: 'PullRequestMerge' })

/** The usual message of the commit that merges a pull request. */
export function writeMergeMessage(
  method: MergeMethod,
  { number, title }: Pick<PullRequestResource, 'number' | 'title'>,
): string {
  return method === 'merge' ? `Merge pull request #${number}: ${title}` : `${title} (#${number})`
}

export type PullRequestResource = z.output<typeof pullRequestSchema>
