import { z } from 'zod'
import { messageSchema } from './message.ts'
import { timestamp } from './timestamp.ts'
import { verdicts } from './verdicts.ts'

/** Kinds of what may need attention, worst first. */
export const needKinds = [
  'service',
  'model',
  'sync',
  'confirmation',
  'spending',
  'key',
  'digest',
  'job',
  'pull-request',
  'discrepancies',
  'questions',
] as const
export type NeedKind = (typeof needKinds)[number]

const needSchema = z
  .object({
    id: z.string().meta({ description: 'Stays the same as long as the need does.' }),
    kind: z.enum(needKinds),
    tone: z.enum(['failed', 'warning', 'notice']),
    siteId: z.string().nullable().meta({ description: 'Null if it concerns all sites.' }),
    title: z.string(),
    titleMessage: messageSchema,
    detail: z.string().meta({ description: 'What it means, or what to do. May be empty.' }),
    detailMessages: z.array(messageSchema).meta({ description: 'The sentences of `detail`.' }),
    since: timestamp().nullable().meta({ description: 'Null if unknown.' }),
    subjectId: z.string().nullable().meta({ description: 'Id of the job or key.' }),
    url: z.string().nullable().meta({ description: 'Address of the pull request.' }),
  })
  .meta({ id: 'Need' })
export type Need = z.output<typeof needSchema>

const activityShape = {
  questions: z.number().int(),
  answered: z.number().int(),
  unanswered: z.number().int(),
  helpful: z.number().int(),
  unhelpful: z.number().int(),
  costUsd: z.number().meta({ description: 'Cost of the answers with a known price, in US dollars.' }),
  firstTextMs: z
    .number()
    .nullable()
    .meta({ description: 'Median time to the first text, in milliseconds; null without answers.' }),
}
const activitySchema = z.object(activityShape).meta({ id: 'SiteActivityCounts' })
export type SiteActivityCounts = z.output<typeof activitySchema>

const siteActivitySchema = z
  .object({
    siteId: z.string(),
    current: activitySchema,
    previous: activitySchema.meta({ description: 'The same in the previous period of equal length.' }),
    series: z.array(activitySchema).meta({ description: 'The current period in equal parts, oldest first.' }),
    lastQuestion: z
      .object({
        id: z.string(),
        question: z.string().meta({ description: 'At most 200 characters.' }),
        verdict: z.enum(verdicts).nullable(),
        source: z.object({ url: z.string(), title: z.string() }).nullable(),
        askedAt: timestamp(),
      })
      .nullable(),
  })
  .meta({ id: 'SiteActivity' })
export type SiteActivity = z.output<typeof siteActivitySchema>

/** Lengths of the period in days. */
export const homePeriods = [1, 7, 30] as const
export type HomePeriod = (typeof homePeriods)[number]

export const homeQuerySchema = z.object({
  days: z
    .enum(homePeriods.map(String))
    .default('7')
    .transform((days) => Number(days) as HomePeriod)
    .meta({ description: 'Length of the period up to now, in days.' }),
})

export const homeSchema = z
  .object({
    needs: z.array(needSchema).meta({ description: 'Most urgent first; at most 100.' }),
    from: timestamp(),
    to: timestamp(),
    sites: z.array(siteActivitySchema).meta({ description: 'The first 100 sites.' }),
  })
  .meta({ id: 'Home' })
export type Home = z.output<typeof homeSchema>
