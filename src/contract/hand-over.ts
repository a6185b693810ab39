import { z } from 'zod'
import { listQuerySchema } from './admin.ts'
import { handOverCharsMax } from './hand-over-settings.ts'
import { pageOf } from './page-of.ts'
import { toStorableText } from './storable-json.ts'
import { timestamp } from './timestamp.ts'

/** Values are checked against the fields of the site. */
export const handOverCreateSchema = z
  .object({
    requestId: z
      .string()
      .regex(/^[\w-]{16,64}$/, { error: 'is not 16 to 64 letters, digits, hyphens and underscores' })
      .meta({ description: 'Random; the same for each attempt to send the same message, which is stored once.' }),
    fields: z
      .record(z.string().max(30), z.string().max(handOverCharsMax.paragraphs).transform(toStorableText))
      .meta({ description: 'What the reader wrote, by the name of the field.' }),
    page: z
      .string()
      .max(2_000)
      .transform(toStorableText)
      .nullish()
      .meta({ description: 'Address of the page that the reader was on.' }),
    threadId: z.string().max(128).nullish().meta({ description: 'The conversation to send with it.' }),
    threadKey: z
      .string()
      .max(256)
      .nullish()
      .meta({ description: 'The `X-Thread-Key` of the conversation. Without it, the conversation is not sent.' }),
  })
  .meta({ id: 'HandOverCreate' })

export const handOverReplySchema = z.object({ id: z.string(), createdAt: timestamp() }).meta({ id: 'HandOverReply' })

export const handOverStates = ['new', 'done'] as const
export type HandOverState = (typeof handOverStates)[number]

export const handOverChannels = ['email', 'issue'] as const
export type HandOverChannel = (typeof handOverChannels)[number]

const sendSchema = z.object({
  channel: z.enum(handOverChannels),
  state: z.enum(['queued', 'succeeded', 'failed']),
  failure: z.string().nullable().meta({ description: 'Why the newest attempt failed.' }),
  url: z.string().nullable().meta({ description: 'Address of the issue.' }),
})

/** Something that a reader wrote, or an answer. */
const saidSchema = z.object({ role: z.enum(['user', 'assistant']), text: z.string() })
export type HandOverSaid = z.output<typeof saidSchema>

export const handOverSchema = z
  .object({
    id: z.string(),
    siteId: z.string(),
    threadId: z.string().nullable(),
    page: z.string().nullable(),
    fields: z.array(z.object({ label: z.string(), value: z.string() })),
    transcript: z.array(saidSchema).meta({ description: 'Oldest first; empty without a conversation.' }),
    state: z.enum(handOverStates),
    sends: z.array(sendSchema).meta({ description: 'E-mails and issues. Webhooks have their own log.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'HandOver' })

export type HandOverResource = z.output<typeof handOverSchema>

export const handOverListSchema = pageOf(handOverSchema, 'HandOverList')

export const handOverQuerySchema = listQuerySchema.extend({ state: z.enum(handOverStates).optional() })

export const handOverUpdateSchema = z.object({ state: z.enum(handOverStates) }).meta({ id: 'HandOverUpdate' })
