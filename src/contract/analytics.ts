import { z } from 'zod'
import { timestamp } from './timestamp.ts'

// The analytics of Mintlify's API, so that exporters written for it need only another base URL.

const dateSchema = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be YYYY-MM-DD or ISO 8601')
  .optional()

const limitSchema = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual)

const periodQuerySchema = z.object({
  dateFrom: dateSchema.meta({ description: 'YYYY-MM-DD or ISO 8601, inclusive. Default: everything.' }),
  dateTo: dateSchema.meta({ description: 'Exclusive. Default: now.' }),
  site: z.string().max(200).optional().meta({ description: 'Only this site of the project, by id or slug.' }),
})
export type AnalyticsPeriod = z.output<typeof periodQuerySchema>

const cursor = z.string().max(200).optional().meta({ description: '`nextCursor` of the previous page.' })

export const feedbackSources = ['code_snippet', 'contextual', 'agent', 'thumbs_only'] as const
export const feedbackStatuses = ['pending', 'in_progress', 'resolved', 'dismissed'] as const
export type FeedbackSource = (typeof feedbackSources)[number]
export type FeedbackStatus = (typeof feedbackStatuses)[number]

const feedbackQuerySchema = periodQuerySchema.extend({
  source: z.enum(feedbackSources).optional(),
  status: z
    .string()
    .transform((list) => list.split(',').map((status) => status.trim()))
    .pipe(z.array(z.enum(feedbackStatuses)))
    .optional()
    .meta({ description: `Separated by commas: ${feedbackStatuses.join(', ')}.` }),
})

export const analyticsQueries = {
  period: periodQuerySchema,
  feedback: feedbackQuerySchema.extend({ limit: limitSchema(100, 50), cursor }),
  feedbackByPage: feedbackQuerySchema.extend({ limit: limitSchema(100, 10) }),
  conversations: periodQuerySchema.extend({ limit: limitSchema(1_000, 100), cursor }),
  thread: z.object({ site: periodQuerySchema.shape.site }),
  searches: periodQuerySchema.extend({ limit: limitSchema(100, 50), cursor }),
  pages: periodQuerySchema.extend({ limit: limitSchema(250, 50), offset: z.coerce.number().int().min(0).default(0) }),
} as const

const more = { nextCursor: z.string().nullable(), hasMore: z.boolean() }

export const analyticsFeedbackSchema = z
  .object({
    feedback: z.array(
      z.object({
        id: z.string(),
        path: z
          .string()
          .meta({ description: 'The page that the reader was on, or else the first one that was cited.' }),
        comment: z.string().nullable(),
        createdAt: timestamp().nullable(),
        source: z.enum(feedbackSources).meta({ description: '`contextual` with a comment, else `thumbs_only`.' }),
        status: z.enum(feedbackStatuses).meta({ description: 'By the gap of the question.' }),
        helpful: z.boolean(),
        contact: z.string().nullable(),
      }),
    ),
    ...more,
  })
  .meta({ id: 'AnalyticsFeedback' })

export const analyticsFeedbackByPageSchema = z
  .object({
    feedback: z.array(
      z.object({
        path: z.string(),
        thumbsUp: z.int(),
        thumbsDown: z.int(),
        code: z.int(),
        total: z.int(),
      }),
    ),
    hasMore: z.boolean(),
  })
  .meta({ id: 'AnalyticsFeedbackByPage' })

export const analyticsConversationsSchema = z
  .object({
    conversations: z.array(
      z.object({
        id: z.string().meta({ description: 'The thread. Each of its questions has a row.' }),
        timestamp: timestamp(),
        query: z.string(),
        response: z.string(),
        responseType: z.enum(['answer', 'clarifying_question']),
        sources: z.array(z.object({ title: z.string(), url: z.string() })),
        resolutionStatus: z.enum(['answered', 'unanswered']),
        queryCategory: z.string().nullable(),
        pageUrl: z.string().nullable(),
      }),
    ),
    ...more,
  })
  .meta({ id: 'AnalyticsConversations' })

export const analyticsThreadSchema = z
  .object({
    threadId: z.string(),
    createdAt: timestamp(),
    messages: z.array(
      z.object({
        id: z.string(),
        role: z.enum(['user', 'assistant']),
        content: z.string(),
        createdAt: timestamp(),
      }),
    ),
  })
  .meta({ id: 'AnalyticsThread' })

export const analyticsCallersSchema = z
  .object({ web: z.int(), api: z.int(), other: z.int(), total: z.int() })
  .meta({ id: 'AnalyticsCallers' })

export const analyticsSearchesSchema = z
  .object({
    searches: z.array(
      z.object({
        searchQuery: z.string(),
        hits: z.int(),
        ctr: z.number(),
        topClickedPage: z.string().nullable(),
        lastSearchedAt: timestamp(),
      }),
    ),
    totalSearches: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'AnalyticsSearches' })

const visits = { human: z.int(), ai: z.int(), total: z.int() }
const pageVisits = z.array(z.object({ path: z.string(), ...visits }))

export const analyticsViewsSchema = z
  .object({ totals: z.object(visits), views: pageVisits, hasMore: z.boolean() })
  .meta({ id: 'AnalyticsViews' })

export const analyticsVisitorsSchema = z
  .object({ totals: z.object(visits), visitors: pageVisits, hasMore: z.boolean() })
  .meta({ id: 'AnalyticsVisitors' })
