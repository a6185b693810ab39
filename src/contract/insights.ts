import { z } from 'zod'
import { listQuerySchema } from './admin.ts'

/** What questions come through, as clients name themselves in `X-Docent-Client`; `api` where they name nothing known. */
export const callers = ['widget', 'page', 'cli', 'mcp', 'api'] as const
export type Caller = (typeof callers)[number]

export function readCaller(header: string | undefined): Caller {
  return callers.find((caller) => caller === header?.trim().toLowerCase()) ?? 'api'
}

const timestamp = () => z.iso.datetime()

/** What an answer was judged to be, or how it broke off. */
export const verdicts = ['supported', 'partial', 'unsupported', 'unanswered', 'failed', 'disconnected'] as const

export const feedbackStates = ['helpful', 'unhelpful', 'none'] as const

/** The part of all questions that is looked at. Bounds of periods are checked where they are used. */
export const questionFilterSchema = z.object({
  siteId: z.string().max(200).optional().meta({ description: 'Only this site, by id or slug.' }),
  from: timestamp().optional().meta({ description: 'Not before; 30 days before `to` without it.' }),
  to: timestamp().optional().meta({ description: 'Before; now without it. At most 400 days after `from`.' }),
  verdict: z.enum(verdicts).optional(),
  feedback: z.enum(feedbackStates).optional().meta({ description: 'What readers said of the answer.' }),
  caller: z.enum(callers).optional().meta({ description: 'What the question came through.' }),
  version: z.string().max(200).optional().meta({ description: 'The version that the request named.' }),
  page: z
    .string()
    .max(1_000)
    .regex(/^(?:\/|https?:)/, { error: 'is neither a path such as /install nor an address' })
    .optional()
    .meta({ description: 'Only answers that cite this page: its address, or the end of it from a slash on.' }),
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: 'Only questions that hold this text, in any case.' }),
})

export const summaryQuerySchema = questionFilterSchema.extend({
  bucket: z.enum(['hour', 'day']).default('day').meta({ description: 'UTC. Hours for at most 14 days.' }),
})

export const questionQuerySchema = questionFilterSchema.extend(listQuerySchema.shape)

export const topicQuerySchema = questionFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(100).default(20),
})

export const exportQuerySchema = questionFilterSchema.extend({ format: z.enum(['csv', 'json']).default('csv') })

const tallySchema = z.object({
  questions: z.number().int(),
  answered: z.number().int().meta({ description: 'Judged `supported`, `partial` or `unsupported`.' }),
  unanswered: z.number().int(),
  broken: z.number().int().meta({ description: 'Failed, or left by the reader.' }),
  helpful: z.number().int().meta({ description: 'Answers that a reader found helpful, and none unhelpful.' }),
  unhelpful: z.number().int(),
  costUsd: z.number().meta({ description: 'Of answers whose price is known.' }),
})
export type Tally = z.output<typeof tallySchema>

const groupSchema = tallySchema.extend({ value: z.string().nullable().meta({ description: 'Null: none was named.' }) })

export const insightsSummarySchema = z
  .object({
    from: timestamp(),
    to: timestamp(),
    bucket: z.enum(['hour', 'day']),
    total: tallySchema,
    playgroundAnswers: z
      .number()
      .int()
      .meta({ description: 'Answers that were tried out in the playground in the UTC days of the period.' }),
    playgroundCostUsd: z.number().meta({ description: 'What the playground cost in the UTC days of the period.' }),
    buckets: z.array(tallySchema.extend({ startsAt: timestamp() })).meta({ description: 'Without empty ones.' }),
    byVerdict: z.array(groupSchema),
    byCaller: z.array(groupSchema),
    byVersion: z.array(groupSchema),
    byPage: z
      .array(z.object({ url: z.string(), title: z.string(), questions: z.number().int() }))
      .meta({ description: 'The pages that are cited most, of the newest 5,000 answers of the period.' }),
    durations: z
      .object({ firstTextMs: z.number().nullable(), totalMs: z.number().nullable() })
      .meta({ description: 'Medians of the same answers.' }),
  })
  .meta({ id: 'InsightsSummary' })
export type InsightsSummary = z.output<typeof insightsSummarySchema>

const sourceSchema = z.object({ url: z.string(), title: z.string() })

export const askedQuestionSchema = z
  .object({
    id: z.string().meta({ description: 'Of the answer.' }),
    siteId: z.string(),
    threadId: z.string(),
    question: z
      .string()
      .meta({ description: 'As it was stored: without secrets and personal data, unless that is off.' }),
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
    triedPaths: z.array(z.string()).meta({ description: 'Pages that were read for the answer.' }),
    model: z.string().nullable(),
    costUsd: z.number().nullable(),
    timings: z.record(z.string(), z.number()).nullable(),
    askedAt: timestamp(),
  })
  .meta({ id: 'AskedQuestion' })
export type AskedQuestion = z.output<typeof askedQuestionSchema>

export const askedQuestionListSchema = z
  .object({ items: z.array(askedQuestionSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'AskedQuestionList' })

const topicSchema = z.object({
  terms: z.array(z.string()).meta({ description: 'The words that its questions share, the most telling first.' }),
  questions: z.number().int(),
  unanswered: z.number().int(),
  unhelpful: z.number().int(),
  examples: z.array(z.string()).meta({ description: 'A few of its questions, the newest first.' }),
  lastAskedAt: timestamp(),
})

export const topicListSchema = z
  .object({
    items: z.array(topicSchema).meta({ description: 'The most asked first.' }),
    nextCursor: z.string().nullable(),
    questions: z.number().int().meta({ description: 'How many questions were grouped: the newest 2,000 at most.' }),
  })
  .meta({ id: 'TopicList' })

export const gapStates = ['open', 'drafted', 'mended'] as const
export type GapState = (typeof gapStates)[number]

const reaskedSchema = z.object({
  question: z.string(),
  before: z.object({ verdict: z.string().nullable(), answer: z.string() }),
  after: z.object({ verdict: z.string().nullable(), answer: z.string() }),
  askedAt: timestamp(),
})
export type ReaskedQuestion = z.output<typeof reaskedSchema>

export const gapSchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    state: z.enum(gapStates),
    jobId: z.string().nullable().meta({ description: 'The job that was made from it.' }),
    terms: z.array(z.string()),
    questions: z.array(z.object({ id: z.string(), question: z.string(), verdict: z.string().nullable() })),
    count: z.number().int().meta({ description: 'All of its questions; `questions` are the newest few.' }),
    unanswered: z.number().int(),
    unhelpful: z.number().int(),
    pagesTried: z.array(z.object({ path: z.string(), count: z.number().int() })),
    reasked: z.array(reaskedSchema).meta({ description: 'What came of asking its questions again, the newest first.' }),
    firstAskedAt: timestamp(),
    lastAskedAt: timestamp(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Gap' })
export type GapResource = z.output<typeof gapSchema>

export const gapQuerySchema = z.object({
  siteId: z.string().max(200).meta({ description: 'The site, by id or slug.' }),
  state: z.enum(gapStates).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})

export const gapListSchema = z
  .object({
    items: z.array(gapSchema).meta({ description: 'The most asked first.' }),
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
      .meta({ description: 'A job of the same organization that mends it; makes the state `drafted`.' }),
  })
  .meta({ id: 'GapUpdate' })

export const jobDraftSchema = z
  .object({
    site: z.string().meta({ description: 'For `site` of the job.' }),
    projectId: z.string(),
    prompt: z
      .string()
      .meta({ description: 'For `prompt` of the job. What readers wrote stands in it as quoted data.' }),
  })
  .meta({ id: 'JobDraft' })
