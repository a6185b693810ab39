import { z } from 'zod'
import { listQuerySchema } from './admin.ts'
import { citationSchema } from './citations.ts'
import { feedbackStates } from './insights.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'
import { verdicts } from './verdicts.ts'

/** Filter for the list of a site's conversations. */
export const threadQuerySchema = listQuerySchema.extend({
  from: z.iso.datetime().optional().meta({ description: 'Only threads answered at this time or later.' }),
  to: z.iso.datetime().optional().meta({ description: 'Only threads whose newest answer is before this time.' }),
  verdict: z.enum(verdicts).optional().meta({ description: 'Only threads with an answer of this verdict.' }),
  feedback: z
    .enum(['helpful', 'unhelpful'])
    .optional()
    .meta({ description: 'Only threads with this feedback on an answer.' }),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only threads with this text in a question or answer, ignoring case.' }),
})

const threadSchema = z
  .object({
    id: z.string(),
    fp: z.string().meta({ description: '`fp` of the reader who started the thread.' }),
    createdAt: timestamp(),
    updatedAt: timestamp().meta({ description: 'When the newest answer ended.' }),
  })
  .meta({ id: 'Thread' })

const listedThreadSchema = threadSchema
  .extend({
    question: z.string().nullable().meta({ description: 'Start of the first question, as stored.' }),
    questions: z.number().int(),
    verdict: z.string().nullable().meta({ description: 'Verdict on the newest answer.' }),
  })
  .meta({ id: 'ListedThread' })

export const threadListSchema = pageOf(listedThreadSchema, 'ThreadList')

const threadMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    text: z.string().meta({ description: 'As stored: without secrets and personal data, unless masking is off.' }),
    sources: z.array(z.object({ url: z.string(), title: z.string() })).meta({
      description: 'Sections it cites, by the title of their page.',
    }),
    citations: z.array(citationSchema).meta({ description: 'Its sentences with citations; empty for questions.' }),
    verdict: z
      .string()
      .nullable()
      .meta({ description: 'Verdict on the answer, or `failed` or `disconnected`; null for questions.' }),
    verdictReasons: z.array(z.string()).meta({ description: 'Reasons for the verdict, in sentences; may be empty.' }),
    generationId: z.string().nullable().meta({ description: 'The index generation it is based on.' }),
    model: z.string().nullable().meta({ description: 'The model that answered, possibly a fallback.' }),
    costUsd: z
      .number()
      .nullable()
      .meta({ description: 'US dollars; null for questions and if the model has no known price.' }),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
    timings: z
      .record(z.string(), z.number())
      .nullable()
      .meta({ description: 'Durations in milliseconds, by phase of the answer.' }),
    asked: z
      .object({
        caller: z.string(),
        keyId: z.string().nullable(),
        version: z.string().nullable(),
        language: z.string().nullable(),
        currentPath: z.string().nullable(),
        triedPaths: z.array(z.string()),
      })
      .nullable()
      .meta({ description: 'Channel and context of the question; null for questions and old answers.' }),
    feedback: z.enum(feedbackStates).nullable().meta({ description: 'Feedback on the answer; null for questions.' }),
    ratings: z
      .array(z.object({ helpful: z.boolean(), reason: z.string().nullable(), note: z.string().nullable() }))
      .meta({ description: "Readers' feedback on the answer, newest first; at most 20." }),
    createdAt: timestamp(),
  })
  .meta({ id: 'ThreadMessage' })

export const transcriptSchema = threadSchema
  .extend({
    messages: z.array(threadMessageSchema).meta({ description: 'Oldest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Transcript' })

export type ListedThread = z.output<typeof listedThreadSchema>
export type ThreadMessage = z.output<typeof threadMessageSchema>
export type Transcript = z.output<typeof transcriptSchema>
