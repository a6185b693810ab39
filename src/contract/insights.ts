import { z } from 'zod'
import { listQuerySchema } from './admin.ts'
import { botPlatforms } from './bot-platforms.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'
import { verdicts } from './verdicts.ts'

/** Channels that clients name in `X-Docent-Client`; `api` for unknown names. */
const clientCallers = ['widget', 'page', 'cli', 'mcp', 'api'] as const
/** Channels of questions. `agent`: what an agent searched, asked for by address or reported, and missed. */
export const callers = [...clientCallers, 'agent', ...botPlatforms] as const
export type Caller = (typeof callers)[number]

export function readCaller(header: string | undefined): Caller {
  return clientCallers.find((caller) => caller === header?.trim().toLowerCase()) ?? 'api'
}

/** Who asks: programs through MCP and what agents missed, or everyone else. */
export const askers = ['people', 'agents'] as const
/** The channels of `agents`. */
export const agentCallers = ['mcp', 'agent'] as const satisfies readonly Caller[]

export const feedbackStates = ['helpful', 'unhelpful', 'none'] as const

/** The questions to consider. Bounds of the period are checked where it is used. */
export const questionFilterSchema = z.object({
  siteId: z.string().max(200).optional().meta({ description: 'Only questions about this site, by id or slug.' }),
  from: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Start of the period, inclusive. Default: 30 days before `to`.' }),
  to: z.iso
    .datetime()
    .optional()
    .meta({ description: 'End of the period, exclusive, at most 400 days after `from`. Default: now.' }),
  verdict: z.enum(verdicts).optional(),
  feedback: z.enum(feedbackStates).optional().meta({ description: 'Only answers with this feedback.' }),
  caller: z.enum(callers).optional().meta({ description: 'Only questions from this channel.' }),
  askedBy: z.enum(askers).optional().meta({
    description:
      'Only questions from agents, which ask through MCP or searched without success, or only from everyone else.',
  }),
  keyId: z.string().max(200).optional().meta({ description: 'Only questions asked with this key.' }),
  language: z.string().max(50).optional().meta({ description: 'Only questions of readers who use this language.' }),
  version: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only questions about this version of the documentation.' }),
  page: z
    .string()
    .max(1_000)
    .regex(/^(?:\/|https?:)/, { error: 'is neither a path such as /install nor a URL' })
    .optional()
    .meta({ description: 'Only answers that cite this page: its URL, or the end of the URL starting at a slash.' }),
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Only questions with this text in the question or its answer, ignoring case.' }),
})

export const summaryQuerySchema = questionFilterSchema.extend({
  bucket: z
    .enum(['hour', 'day'])
    .default('day')
    .meta({ description: 'Length of a bucket, in UTC. `hour` only for periods of up to 14 days.' }),
})

export const questionQuerySchema = questionFilterSchema.extend(listQuerySchema.shape)

export const topicQuerySchema = questionFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(100).default(20),
})

export const exportFormats = ['csv', 'json', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const exportQuerySchema = questionFilterSchema.extend({ format: z.enum(exportFormats).default('csv') })

const tallySchema = z.object({
  questions: z.number().int(),
  answered: z.number().int().meta({
    description:
      'Questions with a verdict other than `nearest-page` and `unanswered` whose answer was not interrupted.',
  }),
  unanswered: z.number().int(),
  broken: z.number().int().meta({ description: 'Questions whose answer failed or was abandoned by the reader.' }),
  helpful: z.number().int().meta({ description: 'Answers that readers found helpful and none found unhelpful.' }),
  unhelpful: z.number().int(),
  costUsd: z.number().meta({ description: 'Cost of the answers with a known price, in US dollars.' }),
})
export type Tally = z.output<typeof tallySchema>

const groupSchema = tallySchema.extend({
  value: z.string().nullable().meta({ description: 'Null if the request had none.' }),
})

export const insightsSummarySchema = z
  .object({
    from: timestamp(),
    to: timestamp(),
    bucket: z.enum(['hour', 'day']),
    total: tallySchema,
    playgroundAnswers: z.number().int().meta({ description: 'Playground answers in the UTC days of the period.' }),
    playgroundCostUsd: z.number().meta({ description: 'Cost of the playground in the UTC days of the period.' }),
    buckets: z.array(tallySchema.extend({ startsAt: timestamp() })).meta({ description: 'Empty buckets are omitted.' }),
    byVerdict: z.array(groupSchema),
    byCaller: z.array(groupSchema),
    byVersion: z.array(groupSchema),
    byPage: z
      .array(z.object({ url: z.string(), title: z.string(), questions: z.number().int() }))
      .meta({ description: 'Most cited pages among the newest 5,000 answers of the period.' }),
    durations: z
      .object({ firstTextMs: z.number().nullable(), totalMs: z.number().nullable() })
      .meta({ description: 'Medians over the same answers, in milliseconds.' }),
  })
  .meta({ id: 'InsightsSummary' })
export type InsightsSummary = z.output<typeof insightsSummarySchema>

const sourceSchema = z.object({ url: z.string(), title: z.string() })

export const askedQuestionSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the answer.' }),
    siteId: z.string(),
    threadId: z.string(),
    question: z.string().meta({ description: 'As stored: without secrets and personal data, unless masking is off.' }),
    answer: z.string(),
    verdict: z.string().nullable(),
    verdictReasons: z.array(z.string()),
    feedback: z.enum(feedbackStates),
    caller: z.string().nullable(),
    keyId: z.string().nullable(),
    version: z.string().nullable(),
    language: z.string().nullable(),
    currentPath: z.string().nullable(),
    sources: z.array(sourceSchema),
    triedPaths: z.array(z.string()).meta({ description: 'Pages read for the answer.' }),
    model: z.string().nullable(),
    costUsd: z.number().nullable(),
    timings: z.record(z.string(), z.number()).nullable(),
    askedAt: timestamp(),
  })
  .meta({ id: 'AskedQuestion' })
export type AskedQuestion = z.output<typeof askedQuestionSchema>

export const askedQuestionListSchema = pageOf(askedQuestionSchema, 'AskedQuestionList')

const topicSchema = z.object({
  name: z.string().meta({ description: "The most typical question of the group, in a reader's words." }),
  terms: z.array(z.string()).meta({ description: 'Words that its questions share, most distinctive first.' }),
  questions: z.number().int(),
  unanswered: z.number().int(),
  unhelpful: z.number().int(),
  examples: z.array(z.string()).meta({ description: 'Some of its questions, newest first.' }),
  lastAskedAt: timestamp(),
})

export const topicListSchema = z
  .object({
    items: z.array(topicSchema).meta({ description: 'Most asked first.' }),
    nextCursor: z.string().nullable(),
    questions: z.number().int().meta({ description: 'Number of questions grouped: at most the newest 5,000.' }),
  })
  .meta({ id: 'TopicList' })

export const gapStates = ['open', 'drafted', 'fixed'] as const
export type GapState = (typeof gapStates)[number]

const retriedSchema = z.object({
  question: z.string(),
  before: z.object({ verdict: z.string().nullable(), answer: z.string() }),
  after: z.object({ verdict: z.string().nullable(), answer: z.string() }),
  askedAt: timestamp(),
})
export type RetriedQuestion = z.output<typeof retriedSchema>

export const gapSchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    state: z.enum(gapStates),
    jobId: z.string().nullable().meta({ description: 'The job created from it.' }),
    name: z.string().meta({ description: "The most typical question of the group, in a reader's words." }),
    terms: z.array(z.string()),
    questions: z.array(z.object({ id: z.string(), question: z.string(), verdict: z.string().nullable() })),
    count: z.number().int().meta({ description: 'Number of all its questions; `questions` has only the newest.' }),
    unanswered: z.number().int(),
    unhelpful: z.number().int(),
    pagesTried: z.array(z.object({ path: z.string(), count: z.number().int() })),
    failure: z.string().nullable().meta({ description: 'Why its last job did not close it, as a sentence.' }),
    commit: z.string().nullable().meta({
      description: 'The commit that the site was built from when all its questions were answered.',
    }),
    retried: z.array(retriedSchema).meta({ description: 'Results of asking its questions again, newest first.' }),
    firstAskedAt: timestamp(),
    lastAskedAt: timestamp(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Gap' })
export type GapResource = z.output<typeof gapSchema>

export const gapQuerySchema = z.object({
  siteId: z.string().max(200).optional().meta({ description: 'Only gaps of this site, by id or slug.' }),
  state: z.enum(gapStates).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})

export const gapListSchema = z
  .object({
    items: z.array(gapSchema).meta({ description: 'Most asked first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'GapList' })

export const gapUpdateSchema = z
  .object({
    state: z.enum(gapStates).exactOptional(),
    jobId: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .exactOptional()
      .meta({ description: 'A job of the same organization that fixes it. Sets the state to `drafted`.' }),
  })
  .meta({ id: 'GapUpdate' })

export const jobDraftSchema = z
  .object({
    site: z.string().meta({ description: 'Value for `site` of the job.' }),
    projectId: z.string(),
    prompt: z
      .string()
      .meta({ description: 'Value for `prompt` of the job. Text from readers is included as quoted data.' }),
  })
  .meta({ id: 'JobDraft' })
