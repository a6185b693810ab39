import { z } from 'zod'

const threadSchema = z
  .object({
    id: z.string(),
    fp: z.string().meta({ description: 'Who began it, as the client names them.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().meta({ description: 'The end of the newest answer.' }),
  })
  .meta({ id: 'Thread' })

export const threadListSchema = z
  .object({ items: z.array(threadSchema), nextCursor: z.string().nullable() })
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
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ThreadMessage' })

export const transcriptSchema = threadSchema
  .extend({
    messages: z.array(threadMessageSchema).meta({ description: 'Oldest first.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Transcript' })
