import { z } from 'zod'
import { pageOf } from './page-of.ts'
import { toStorableText } from './storable-json.ts'
import { timestamp } from './timestamp.ts'

const text = (charsMax: number) => z.string().max(charsMax).transform(toStorableText)

export const feedbackCreateSchema = z
  .object({
    messageId: z.string().min(1).max(128).meta({ description: 'The `messageId` of the `start` event of the answer.' }),
    helpful: z.boolean(),
    fp: text(256).nullish().meta({
      description:
        '`fp` of the reader, as in the question. Default: `anonymous`. Each reader has one feedback per answer.',
    }),
    reason: text(100).nullish().meta({ description: 'A word of your choice, such as `incorrect` or `outdated`.' }),
    note: text(4_000).nullish().meta({ description: 'What the reader wrote.' }),
  })
  .meta({ id: 'FeedbackCreate' })

export const feedbackReplySchema = z
  .object({
    messageId: z.string(),
    helpful: z.boolean(),
    reason: z.string().nullable(),
    note: z.string().nullable(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'FeedbackReply' })

const feedbackSchema = feedbackReplySchema
  .extend({
    messageId: z.string().nullable().meta({ description: 'The answer; null for feedback on a page.' }),
    path: z.string().nullable().meta({ description: 'The page; null for feedback on an answer.' }),
    id: z.string(),
    siteId: z.string(),
    threadId: z.string().nullable(),
    fp: z.string(),
  })
  .meta({ id: 'Feedback' })

export const feedbackListSchema = pageOf(feedbackSchema, 'FeedbackList')
