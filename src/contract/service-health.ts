import { z } from 'zod'
import { errorCodes } from './error-codes.ts'
import { messageSchema } from './message.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'

const partStates = ['ok', 'warning', 'failed', 'off'] as const

const partSchema = z
  .object({
    name: z.enum(['database', 'disk', 'model', 'embedding', 'code-hosts', 'index', 'secrets', 'queue']),
    subject: z
      .string()
      .nullable()
      .meta({ description: 'The site, for the parts `index` and `code-hosts`; otherwise null.' }),
    state: z.enum(partStates).meta({ description: 'State of the part; `off` if it is not in use.' }),
    message: z.string().meta({ description: 'A sentence that, for a problem, says what to do.' }),
    messages: z.array(messageSchema).meta({ description: 'The sentences of `message`.' }),
  })
  .meta({ id: 'HealthPart' })
export type HealthPart = z.output<typeof partSchema>

export const healthSchema = z
  .object({
    state: z.enum(partStates).meta({ description: 'The worst state of all parts.' }),
    parts: z.array(partSchema),
    checkedAt: timestamp().meta({ description: 'Time of the check. Results are cached for a few seconds.' }),
  })
  .meta({ id: 'Health' })

const queueSchema = z.object({
  name: z
    .enum(['syncs', 'jobs', 'comparisons', 'drift-checks', 'digests', 'webhooks', 'webhook-sends', 'bot-events'])
    .meta({
      description:
        '`webhooks` are incoming from code hosts, `webhook-sends` outgoing to your endpoints, `bot-events` questions and buttons in chats.',
    }),
  waiting: z.number().int(),
  running: z.number().int().meta({ description: 'For webhooks, including those waiting for their next attempt.' }),
  oldestAt: timestamp().nullable().meta({ description: 'When the oldest waiting item was queued.' }),
})
export const queueListSchema = pageOf(queueSchema, 'QueueList')

const errorCountSchema = z.object({
  code: z.enum(errorCodes),
  hour: timestamp().meta({ description: 'Start of the UTC hour.' }),
  count: z.number().int(),
})
export const errorCountListSchema = pageOf(errorCountSchema, 'ErrorCountList')
export const errorCountQuerySchema = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .default(24)
    .meta({ description: 'How many hours to return, including the current one. Default: 24.' }),
})

export const buildInfoSchema = z
  .object({
    version: z.string(),
    node: z.string(),
    platform: z.string(),
    database: z.enum(['sqlite', 'postgres']),
    startedAt: timestamp(),
    memoryBytes: z.number().int().meta({ description: 'Resident memory of the process.' }),
  })
  .meta({ id: 'BuildInfo' })
