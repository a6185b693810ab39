import { z } from 'zod'
import { errorCodes } from './error-codes.ts'

const partStates = ['ok', 'warning', 'failed', 'off'] as const

const partSchema = z
  .object({
    name: z.enum(['database', 'disk', 'model', 'embedding', 'code-hosts', 'index', 'secrets', 'queue']),
    subject: z.string().nullable().meta({ description: 'The site, of `index` and `code-hosts`; else null.' }),
    state: z.enum(partStates).meta({ description: '`off`: not in use.' }),
    message: z.string().meta({ description: 'A sentence; where something is wrong, it says what to do.' }),
  })
  .meta({ id: 'HealthPart' })
export type HealthPart = z.output<typeof partSchema>

export const healthSchema = z
  .object({
    state: z.enum(partStates).meta({ description: 'The worst of all parts.' }),
    parts: z.array(partSchema),
    checkedAt: z.iso.datetime().meta({ description: 'A check is believed for some seconds.' }),
  })
  .meta({ id: 'Health' })

const queueSchema = z.object({
  name: z.enum(['syncs', 'jobs', 'webhooks', 'webhook-sends']).meta({
    description: '`webhooks` came in from code hosts, `webhook-sends` go out to your endpoints.',
  }),
  waiting: z.number().int(),
  running: z.number().int().meta({ description: 'Of webhooks, with those that wait for their next try.' }),
  oldestAt: z.iso.datetime().nullable().meta({ description: 'Since when the oldest of those that wait does.' }),
})
export const queueListSchema = z
  .object({ items: z.array(queueSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'QueueList' })

const errorCountSchema = z.object({
  code: z.enum(errorCodes),
  hour: z.iso.datetime().meta({ description: 'The beginning of the UTC hour.' }),
  count: z.number().int(),
})
export const errorCountListSchema = z
  .object({ items: z.array(errorCountSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'ErrorCountList' })
export const errorCountQuerySchema = z.object({
  hours: z.coerce.number().int().min(1).max(1_440).default(24).meta({ description: 'How far back, with this hour.' }),
})

export const buildInfoSchema = z
  .object({
    version: z.string(),
    node: z.string(),
    platform: z.string(),
    database: z.enum(['sqlite', 'postgres']),
    startedAt: z.iso.datetime(),
    memoryBytes: z.number().int().meta({ description: 'What the process holds of the memory.' }),
  })
  .meta({ id: 'BuildInfo' })
