import { z } from 'zod'
import { callers, questionFilterSchema } from './insights.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'
import { verdicts } from './verdicts.ts'

const name = z.string().trim().min(1).max(100)

export const savedViewCreateSchema = z
  .object({
    name,
    query: z
      .string()
      .max(4_000)
      .regex(/^[^#\s]*$/, { error: 'is not the query of an address' })
      .meta({ description: "The query of the dashboard's address, such as `view=questions&verdict=unanswered`." }),
  })
  .meta({ id: 'SavedViewCreate' })

const savedViewSchema = savedViewCreateSchema
  .extend({ id: z.string(), createdAt: timestamp() })
  .meta({ id: 'SavedView' })

export const savedViewListSchema = z
  .object({ items: z.array(savedViewSchema).meta({ description: 'By name.' }) })
  .meta({ id: 'SavedViewList' })

/** Whole days up to now that a shared view covers, today included. */
const sharedDaysMax = 365
/** How long its link may work. */
const sharedForDays = [7, 30, 90, 365] as const

/** Nothing that a person typed: the filters of a public view are choices. */
const sharedFilterSchema = questionFilterSchema.pick({ verdict: true, feedback: true, caller: true, askedBy: true })
export type SharedFilter = z.output<typeof sharedFilterSchema>

export const sharedViewCreateSchema = sharedFilterSchema
  .extend({
    name,
    siteId: questionFilterSchema.shape.siteId,
    days: z.int().min(1).max(sharedDaysMax).default(30).meta({ description: 'Days up to now, in UTC.' }),
    expiresInDays: z
      .union(sharedForDays.map((days) => z.literal(days)))
      .default(30)
      .meta({ description: 'When the link stops working.' }),
  })
  .meta({ id: 'SharedViewCreate' })

export const sharedViewSchema = sharedFilterSchema
  .extend({
    id: z.string(),
    name: z.string(),
    siteId: z.string().nullable().meta({ description: 'Null for all sites.' }),
    days: z.int(),
    state: z.enum(['open', 'revoked', 'expired']),
    createdBy: z.string().meta({ description: 'Name of the member or key.' }),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  })
  .meta({ id: 'SharedView' })

export const sharedViewListSchema = pageOf(sharedViewSchema, 'SharedViewList')

export const sharedViewCreatedSchema = sharedViewSchema
  .extend({ url: z.string().meta({ description: 'Returned only once.' }) })
  .meta({ id: 'SharedViewCreated' })

const count = z.int().min(0)
const publicTallySchema = z.object({
  questions: count,
  answered: count,
  unanswered: count,
  broken: count,
  helpful: count,
  unhelpful: count,
})
export type PublicTally = z.output<typeof publicTallySchema>

/**
 * What anyone with the link sees: numbers, times, and words of this contract. The server parses its reply with this, so that no text of a
 * reader, page, version or cost can leave.
 */
export const publicViewSchema = z
  .object({
    name: z.string().meta({ description: 'As the owner wrote it.' }),
    organization: z.string(),
    site: z.string().nullable().meta({ description: 'Name of the site; null for all sites.' }),
    filter: sharedFilterSchema,
    days: z.int(),
    from: timestamp(),
    to: timestamp(),
    expiresAt: timestamp(),
    total: publicTallySchema,
    before: publicTallySchema.meta({ description: 'The same in the previous period of equal length.' }),
    buckets: z
      .array(publicTallySchema.extend({ startsAt: timestamp() }))
      .meta({ description: 'By day in UTC, or by hour for one day. Empty ones are omitted.' }),
    bucket: z.enum(['hour', 'day']),
    firstTextMs: z.number().nullable().meta({ description: 'Median time to the first words.' }),
    byVerdict: z.array(z.object({ value: z.enum(verdicts), questions: count })),
    byCaller: z.array(z.object({ value: z.enum(callers), questions: count })),
  })
  .meta({ id: 'PublicView' })
export type PublicView = z.output<typeof publicViewSchema>
