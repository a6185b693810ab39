import { z } from 'zod'
import { groupDigits } from './count-of.ts'
import { toStorableText } from './storable-json.ts'
import { timestamp } from './timestamp.ts'

/** Longest prompt in characters, after trimming. */
export const promptCharsMax = 32_000

export const agentJobStatuses = ['active', 'completed', 'failed'] as const
export type AgentJobStatus = (typeof agentJobStatuses)[number]

/** Why a job failed. Codes are part of the contract: clients branch on them. */
export const agentFailureCodes = [
  'base_unavailable',
  'branch_conflict',
  'budget_reached',
  'cancelled',
  'change_refused',
  'conflicting',
  'host_failed',
  'internal_error',
  'model_failed',
  'model_required',
  'not_finished',
] as const
export type AgentFailureCode = (typeof agentFailureCodes)[number]

const promptSchema = z
  .string()
  .overwrite(toStorableText)
  .trim()
  .min(1, { error: 'is empty: say what to change' })
  .max(promptCharsMax, { error: `is longer than ${groupDigits(promptCharsMax)} characters` })
  .meta({ description: 'What to change, in words.' })

/** Most files that a job deletes without an owner's consent. */
export const deletionsMax = 5

/** What an owner may allow a job. */
export const deletionsAllowed = `delete more than ${deletionsMax} files, the home page, and files that others use`

/** Ends the refusal of a deletion. */
export const deletionConsent = 'An owner can let this job delete it, on the page of the job.'

const branchName = z.string().min(1).max(200)

const jobContextSchema = z.object({
  type: z.enum(['code', 'textSelection']),
  value: z.string().overwrite(toStorableText).min(1).max(20_000),
  path: z.string().overwrite(toStorableText).max(1_000).nullish(),
})
export type AgentJobContext = z.output<typeof jobContextSchema>

/** Unknown fields are refused: a misspelled one would be dropped in silence. */
export const agentJobCreateSchema = z
  .strictObject({
    prompt: promptSchema,
    branch: branchName.nullish().meta({
      description: 'The branch to push to; if it has an open pull request, the job continues it. Generated if omitted.',
    }),
    baseBranch: branchName
      .nullish()
      .meta({ description: 'The branch to start from and to merge into. Default: the branch of the site.' }),
    site: z
      .string()
      .max(200)
      .nullish()
      .meta({ description: 'Id or slug of the site to edit, if the project has several repositories.' }),
    allowDeletions: z
      .boolean()
      .nullish()
      .meta({
        description: `An owner lets the job ${deletionsAllowed}. Refused for other roles, and never taken from the prompt.`,
      }),
    draft: z.boolean().nullish().meta({ description: 'Whether to open the pull request as a draft.' }),
    model: z
      .string()
      .max(200)
      .nullish()
      .meta({ description: "One of the installation's configured models, as `provider/model`." }),
    context: z
      .array(jobContextSchema)
      .max(20)
      .nullish()
      .meta({ description: 'What the author of the prompt is looking at.' }),
  })
  .meta({ id: 'AgentJobCreate' })

export const agentJobMessageSchema = z.strictObject({ prompt: promptSchema }).meta({ id: 'AgentJobMessage' })

export const agentJobChangeSchema = z.object({
  path: z.string(),
  kind: z.enum(['added', 'modified', 'deleted', 'renamed']),
  additions: z.number().int(),
  deletions: z.number().int(),
})
export type AgentJobChange = z.output<typeof agentJobChangeSchema>

/** A further repository that the agent could read, as of the start of the round. */
export const agentJobContextRepositorySchema = z.object({
  name: z.string().meta({ description: 'The agent reads its files as `@name/path`.' }),
  repository: z.string(),
  commit: z.string().nullable().meta({ description: 'The commit that was read; null if it could not be fetched.' }),
  problem: z.string().nullable().meta({ description: 'Why it could not be read.' }),
})
export type AgentJobContextRepository = z.output<typeof agentJobContextRepositorySchema>

export const agentJobSchema = z
  .object({
    id: z.string(),
    projectId: z.string(),
    siteId: z.string().meta({ description: 'The site whose repository it edits.' }),
    status: z.enum(agentJobStatuses),
    source: z.object({
      repository: z.string(),
      ref: z.string().meta({ description: 'The branch that the job starts from.' }),
    }),
    model: z.string(),
    prLink: z.url().nullable().meta({
      description: 'Where to review the change; null while the job is active or if no file changed.',
    }),
    createdAt: timestamp(),
    archivedAt: timestamp().nullable(),
    updatedAt: timestamp(),
    prompt: z.string().meta({ description: 'The newest prompt.' }),
    title: z.string().nullable(),
    summary: z.string().nullable(),
    failure: z.object({ code: z.enum(agentFailureCodes), message: z.string() }).nullable(),
    usage: z.object({
      inputTokens: z.number().int(),
      cachedTokens: z
        .number()
        .int()
        .meta({ description: "Of the input tokens: read from the provider's cache, at a tenth of the price." }),
      outputTokens: z.number().int(),
      steps: z.number().int(),
      costUsd: z.number().nullable().meta({ description: 'Null if a model has no known price.' }),
    }),
    changes: z.array(agentJobChangeSchema),
    branch: z.string().meta({ description: 'The branch that changes are pushed to.' }),
    pullRequest: z
      .object({
        id: z.string().meta({ description: 'Id of the pull request on the code host.' }),
        url: z.url(),
        state: z.enum(['open', 'merged', 'closed']),
        draft: z.boolean(),
      })
      .nullable()
      .meta({ description: 'Also available while the job is active again.' }),
    deletionsAllowedBy: z
      .string()
      .nullable()
      .meta({ description: `The owner who let the job ${deletionsAllowed}.` }),
    instructions: z
      .array(z.object({ path: z.string(), commit: z.string() }))
      .meta({ description: "The repository's convention files that were read, with their commit." }),
    contextRepositories: z
      .array(agentJobContextRepositorySchema)
      .meta({ description: 'Further repositories that the agent could read in the newest round.' }),
  })
  .meta({ id: 'AgentJob' })

export const agentJobListQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional().meta({ description: '`nextCursor` of the previous page.' }),
  status: z.enum(agentJobStatuses).optional(),
  site: z.string().max(200).optional().meta({ description: 'Only jobs of this site, by id or slug.' }),
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Only jobs whose newest prompt, title, summary or branch contains this text.' }),
  from: z.iso.datetime().optional().meta({ description: 'Only jobs created at this time or later.' }),
  to: z.iso.datetime().optional().meta({ description: 'Only jobs created before this time.' }),
})

export const agentJobListSchema = z
  .object({ jobs: z.array(agentJobSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'AgentJobList' })

export type AgentJobCreate = z.output<typeof agentJobCreateSchema>
export type AgentJobResource = z.output<typeof agentJobSchema>

/** A job as version 1 of the agent's API has it. */
export const agentSessionSchema = z
  .object({
    sessionId: z.string().meta({ description: 'Id of the job, also in version 2.' }),
    subdomain: z.string().meta({ description: 'Id of the project.' }),
    branch: z.string().nullable(),
    haulted: z.boolean().meta({ description: 'Whether the job has ended.' }),
    haultReason: z.enum(['completed', 'github_missconfigured', 'error']).optional(),
    pullRequestLink: z.string().optional(),
    messageToUser: z.string().optional(),
    todos: z.array(z.object({ id: z.string(), content: z.string(), status: z.string(), priority: z.string() })),
    createdAt: timestamp(),
  })
  .meta({ id: 'AgentSession' })

export const agentSessionListSchema = z
  .object({ allSessions: z.array(agentSessionSchema) })
  .meta({ id: 'AgentSessionList' })

export const agentSessionCreateSchema = z
  .object({
    branch: branchName.meta({ description: 'The branch to push to; created if it does not exist.' }),
    messages: z
      .array(z.object({ role: z.enum(['system', 'user']), content: z.string() }))
      .min(1, { error: 'is empty: say what to change' })
      .meta({ description: 'What to change. Together they are the prompt.' }),
  })
  .meta({ id: 'AgentSessionCreate' })
