import { z } from 'zod'
import { listQuerySchema } from './admin.ts'
import { feedbackStates, verdicts } from './insights.ts'

/** The part of a site's conversations that is listed. */
export const threadQuerySchema = listQuerySchema.extend({
  from: z.iso.datetime().optional().meta({ description: 'Only those that were answered then or later.' }),
  to: z.iso.datetime().optional().meta({ description: 'Only those whose newest answer is from before.' }),
  verdict: z.enum(verdicts).optional().meta({ description: 'Only those with an answer of this verdict.' }),
  feedback: z
    .enum(['helpful', 'unhelpful'])
    .optional()
    .meta({ description: 'Only those with an answer that a reader said this of.' }),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Only those with this text in a question or an answer, in any case.' }),
})

const threadSchema = z
  .object({
    id: z.string(),
    fp: z.string().meta({ description: 'Who began it, as the client names them.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().meta({ description: 'The end of the newest answer.' }),
  })
  .meta({ id: 'Thread' })

const listedThreadSchema = threadSchema
  .extend({
    question: z.string().nullable().meta({ description: 'How the first question begins, as it was stored.' }),
    questions: z.number().int(),
    verdict: z.string().nullable().meta({ description: 'What the newest answer was judged to be.' }),
  })
  .meta({ id: 'ListedThread' })

export const threadListSchema = z
  .object({ items: z.array(listedThreadSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'ThreadList' })

const threadMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['user', 'assistant']),
    text: z.string().meta({ description: 'As it was stored: without secrets and personal data, unless that is off.' }),
    sources: z.array(z.object({ url: z.string(), title: z.string() })).meta({ description: 'Pages that it cites.' }),
    verdict: z
      .string()
      .nullable()
      .meta({ description: 'What the answer was judged to be, or `failed` or `disconnected`; null on questions.' }),
    verdictReasons: z
      .array(z.string())
      .meta({ description: 'Why, in sentences; empty where there is nothing to say.' }),
    generationId: z.string().nullable().meta({ description: 'The generation of the index that it was made from.' }),
    model: z.string().nullable().meta({ description: 'The model that answered, which may be a fallback.' }),
    costUsd: z
      .number()
      .nullable()
      .meta({ description: 'US dollars; null when the price of the model is not known, and on questions.' }),
    usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
    timings: z.record(z.string(), z.number()).nullable().meta({ description: 'Milliseconds.' }),
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
      .meta({ description: 'What the question came through and was about; null on questions and on old answers.' }),
    feedback: z.enum(feedbackStates).nullable().meta({ description: 'Null on questions.' }),
    createdAt: z.iso.datetime(),
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
