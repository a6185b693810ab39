import { z } from 'zod'
import { agentFailureCodes } from './agent-job.ts'
import { pageOf } from './page-of.ts'
import { timestamp } from './timestamp.ts'
import { weeklyDigestSchema } from './weekly-digest.ts'

/** Events that endpoints can subscribe to, in display order. */
export const webhookEventTypes = [
  'job.ended',
  'pull_request.merged',
  'sync.failed',
  'hand_over.created',
  'digest.created',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** Longest event body in characters; longer ones have their texts cut. */
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
    prLink: z.string().nullable().meta({ description: 'Where to review the change, or null.' }),
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

const handOverCreatedSchema = z.object({
  type: z.literal('hand_over.created'),
  timestamp: timestamp(),
  data: z.object({
    handOverId: z.string(),
    siteId: z.string(),
    threadId: z.string().nullable(),
    page: z.string().nullable(),
    fields: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
})

const digestCreatedSchema = z.object({
  type: z.literal('digest.created'),
  timestamp: timestamp(),
  data: weeklyDigestSchema,
})

const testSchema = z.object({
  type: z.literal('test'),
  timestamp: timestamp(),
  data: z.object({ endpointId: z.string() }),
})

/** The body of an outgoing webhook, for receivers to validate. */
export const webhookBodySchema = z
  .discriminatedUnion('type', [
    jobEndedSchema,
    pullRequestMergedSchema,
    syncFailedSchema,
    handOverCreatedSchema,
    digestCreatedSchema,
    testSchema,
  ])
  .meta({ id: 'WebhookBody' })
export type WebhookBody = z.output<typeof webhookBodySchema>

const eventTypes = z
  .array(z.enum(webhookEventTypes))
  .min(1, { error: 'names no event: choose at least one' })
  .max(webhookEventTypes.length)
  .transform((events) => webhookEventTypes.filter((type) => events.includes(type)))

const name = z.string().trim().min(1).max(200).meta({ description: 'Display name.' })
const url = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine((address) => URL.parse(address)?.username === '' && URL.parse(address)?.password === '', {
    error: 'contains a password: receivers verify Docent by the signature',
  })
  .meta({ description: 'A URL that accepts POST requests.' })

export const webhookEndpointCreateSchema = z
  .object({ name, url, events: eventTypes })
  .meta({ id: 'WebhookEndpointCreate' })

export const webhookEndpointUpdateSchema = z
  .object({
    name: name.optional(),
    url: url.optional(),
    events: eventTypes.optional(),
    enabled: z
      .boolean()
      .optional()
      .meta({ description: 'Whether events are sent to the endpoint. `true` re-enables one that Docent disabled.' }),
  })
  .meta({ id: 'WebhookEndpointUpdate' })

export const webhookEndpointSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEventTypes)),
    enabled: z.boolean(),
    disabledReason: z.string().nullable().meta({ description: 'Why Docent disabled it; null if it did not.' }),
    failingSince: timestamp()
      .nullable()
      .meta({ description: 'Start of the current series of failures; null if the newest delivery succeeded.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'WebhookEndpoint' })

export const webhookEndpointCreatedSchema = webhookEndpointSchema
  .extend({
    secret: z.string().meta({ description: 'Signing secret: `whsec_` and base64. Shown only once.' }),
  })
  .meta({ id: 'WebhookEndpointCreated' })

export const webhookEndpointListSchema = pageOf(webhookEndpointSchema, 'WebhookEndpointList')

export const webhookSendSchema = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    eventId: z.string().meta({ description: 'The `webhook-id`, the same for every attempt.' }),
    type: z.string(),
    state: z
      .enum(['queued', 'succeeded', 'failed'])
      .meta({ description: '`failed`: there are no further automatic attempts.' }),
    tries: z.number().int(),
    status: z.number().int().nullable().meta({ description: 'HTTP status of the newest attempt.' }),
    durationMs: z.number().int().nullable(),
    failure: z.string().nullable().meta({ description: 'Why the newest attempt failed.' }),
    reply: z.string().nullable().meta({ description: 'Start of the response to the newest attempt.' }),
    createdAt: timestamp(),
    triedAt: timestamp().nullable(),
    nextTryAt: timestamp().nullable(),
  })
  .meta({ id: 'WebhookSend' })

export const webhookSendListSchema = pageOf(webhookSendSchema, 'WebhookSendList')

const receivedWebhookSchema = z
  .object({
    id: z.string(),
    deliveryId: z.string().meta({ description: "The code host's id of the delivery." }),
    type: z.string(),
    state: z.enum(['queued', 'done', 'ignored', 'failed']),
    outcome: z.string().nullable().meta({ description: 'The result, in a sentence.' }),
    receivedAt: timestamp(),
    finishedAt: timestamp().nullable(),
  })
  .meta({ id: 'ReceivedWebhook' })

export const receivedWebhookListSchema = pageOf(receivedWebhookSchema, 'ReceivedWebhookList')

export const webhookReceiptSchema = z
  .object({
    state: z.enum(['queued', 'ignored', 'repeated']),
    message: z.string().meta({ description: 'A sentence for the delivery log of the code host.' }),
  })
  .meta({ id: 'WebhookReceipt' })

export type WebhookEndpointResource = z.output<typeof webhookEndpointSchema>
export type WebhookSendResource = z.output<typeof webhookSendSchema>
