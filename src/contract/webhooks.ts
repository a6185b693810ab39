import { z } from 'zod'
import { agentFailureCodes } from './agent-job.ts'

const timestamp = () => z.iso.datetime()

/** What endpoints may be told, in the order in which people read it. */
export const webhookEventTypes = ['job.ended', 'pull_request.merged', 'sync.failed'] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Most characters of an event's body; what is longer is cut in its texts. */
export const webhookTextCharsMax = 4_000

const jobEndedSchema = z.object({
  type: z.literal('job.ended'),
  timestamp: timestamp(),
  data: z.object({
    jobId: z.string(),
    projectId: z.string(),
    siteId: z.string(),
    status: z.enum(['completed', 'failed']),
    title: z.string().nullable(),
    summary: z.string().nullable(),
    failure: z.object({ code: z.enum(agentFailureCodes), message: z.string() }).nullable(),
    prLink: z.string().nullable().meta({ description: 'Where to review the change; null when there is none.' }),
    branch: z.string(),
  }),
})

const pullRequestMergedSchema = z.object({
  type: z.literal('pull_request.merged'),
  timestamp: timestamp(),
  data: z.object({
    jobId: z.string(),
    projectId: z.string(),
    siteId: z.string(),
    url: z.string(),
    branch: z.string(),
  }),
})

const syncFailedSchema = z.object({
  type: z.literal('sync.failed'),
  timestamp: timestamp(),
  data: z.object({ siteId: z.string(), slug: z.string(), runId: z.string(), failure: z.string() }),
})

const testSchema = z.object({
  type: z.literal('test'),
  timestamp: timestamp(),
  data: z.object({ endpointId: z.string() }),
})

/** The body of a webhook that is sent, as receivers may check it. */
export const webhookBodySchema = z
  .discriminatedUnion('type', [jobEndedSchema, pullRequestMergedSchema, syncFailedSchema, testSchema])
  .meta({ id: 'WebhookBody' })
export type WebhookBody = z.output<typeof webhookBodySchema>

const eventTypes = z
  .array(z.enum(webhookEventTypes))
  .min(1, { error: 'names no event: choose at least one' })
  .max(webhookEventTypes.length)
  .transform((events) => webhookEventTypes.filter((type) => events.includes(type)))

const name = z.string().trim().min(1).max(200).meta({ description: 'For people.' })
const url = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine((address) => URL.parse(address)?.username === '' && URL.parse(address)?.password === '', {
    error: 'holds a password: receivers know Docent by the signature',
  })
  .meta({ description: 'An address that takes a POST.' })

export const webhookEndpointCreateSchema = z
  .object({ name, url, events: eventTypes })
  .meta({ id: 'WebhookEndpointCreate' })

export const webhookEndpointUpdateSchema = z
  .object({
    name: name.optional(),
    url: url.optional(),
    events: eventTypes.optional(),
    enabled: z.boolean().optional().meta({ description: 'True switches one on again that was switched off.' }),
  })
  .meta({ id: 'WebhookEndpointUpdate' })

export const webhookEndpointSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)),
    enabled: z.boolean(),
    disabledReason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was switched off, where Docent did that itself.' }),
    failingSince: timestamp().nullable().meta({ description: 'Since when no delivery has succeeded.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'WebhookEndpoint' })

export const webhookEndpointCreatedSchema = webhookEndpointSchema
  .extend({
    secret: z.string().meta({ description: 'Signs what is sent: `whsec_` and base64. Shown this once.' }),
  })
  .meta({ id: 'WebhookEndpointCreated' })

export const webhookEndpointListSchema = z
  .object({ items: z.array(webhookEndpointSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookEndpointList' })

export const webhookSendSchema = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id`: the same at every repetition.' }),
    type: z.string(),
    state: z.enum(['queued', 'succeeded', 'failed']).meta({ description: 'Failed: it is not tried again by itself.' }),
    tries: z.number().int(),
    status: z.number().int().nullable().meta({ description: 'The HTTP status of the newest try.' }),
    durationMs: z.number().int().nullable(),
    failure: z.string().nullable().meta({ description: 'Why the newest try failed.' }),
    reply: z.string().nullable().meta({ description: 'How the reply of the newest try began.' }),
    createdAt: timestamp(),
    triedAt: timestamp().nullable(),
    nextTryAt: timestamp().nullable(),
  })
  .meta({ id: 'WebhookSend' })

export const webhookSendListSchema = z
  .object({ items: z.array(webhookSendSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookSendList' })

const receivedWebhookSchema = z
  .object({
    id: z.string(),
    deliveryId: z.string().meta({ description: 'As the host names the delivery.' }),
    type: z.string(),
    state: z.enum(['queued', 'done', 'ignored', 'failed']),
    outcome: z.string().nullable().meta({ description: 'What came of it.' }),
    receivedAt: timestamp(),
    finishedAt: timestamp().nullable(),
  })
  .meta({ id: 'ReceivedWebhook' })

export const receivedWebhookListSchema = z
  .object({ items: z.array(receivedWebhookSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'ReceivedWebhookList' })

export const webhookReceiptSchema = z
  .object({
    state: z.enum(['queued', 'ignored', 'repeated']),
    message: z.string().meta({ description: 'For people who look at the log of the code host.' }),
  })
  .meta({ id: 'WebhookReceipt' })

export type WebhookEndpointResource = z.output<typeof webhookEndpointSchema>
export type WebhookSendResource = z.output<typeof webhookSendSchema>
