import { z } from 'zod'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

const amounts = {
  used: z.number().meta({ description: 'Amount used in the current window.' }),
  max: z.number().meta({ description: 'Maximum amount per window.' }),
  resetsAt: timestamp().meta({ description: 'When the next window starts.' }),
}

const keyUsageSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().meta({ description: 'The last four characters of the key.' }),
    siteId: z.string().nullable(),
    lastUsedAt: timestamp().nullable(),
    revokedAt: timestamp().nullable(),
    ...amounts,
  })
  .meta({ id: 'KeyUsage' })

export const keyUsageListSchema = pageOf(keyUsageSchema, 'KeyUsageList')

const limitUsageSchema = z
  .object({
    name: z.enum(['org', 'search', 'feedback', 'jobs', 'site-cost']).meta({
      description: "As in the `RateLimit` headers; `site-cost` is the daily ceiling on the cost of a site's answers.",
    }),
    subject: z.object({ kind: z.enum(['organization', 'project', 'site']), id: z.string(), name: z.string() }),
    window: z.enum(['hour', 'day', 'month']),
    unit: z.enum(['requests', 'usd']),
    ...amounts,
  })
  .meta({ id: 'LimitUsage' })
export type LimitUsage = z.output<typeof limitUsageSchema>

export const limitUsageListSchema = pageOf(limitUsageSchema, 'LimitUsageList')
