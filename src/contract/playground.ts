import { z } from 'zod'
import { ownInstructionsCharsMax } from './site-settings.ts'
import { sentenceVerdicts } from './citations.ts'
import { searchFilterSchema } from './search.ts'
import { encodeStreamJson } from './stream-json.ts'

const messageSchema = z.looseObject({ role: z.string(), parts: z.array(z.looseObject({ type: z.string() })) })

/** Body of a playground request: chat messages as the AI SDK sends them, and overrides. */
export const playgroundRequestSchema = z
  .looseObject({
    messages: z
      .array(messageSchema)
      .min(1)
      .meta({ description: 'The conversation, in the same form as for `/discovery/v2/assistant/{domain}/message`.' }),
    model: z.string().max(200).nullish().meta({
      description: "One of the installation's configured models, as `provider/model`.",
    }),
    instructions: z
      .string()
      .trim()
      .max(ownInstructionsCharsMax)
      .nullish()
      .meta({ description: "Replaces the site's instructions; empty for none." }),
    retrievalPageSize: z.number().min(1).nullish(),
    filter: searchFilterSchema.nullish(),
    currentPath: z.string().max(200).nullish(),
    skills: z.boolean().nullish().meta({ description: "False omits the site's skills." }),
    groups: z
      .array(z.string().min(1).max(200))
      .max(100)
      .nullish()
      .meta({ description: 'Reads the site as a signed-in reader in these groups. Default: as an anonymous reader.' }),
  })
  .meta({ id: 'PlaygroundRequest' })

export const playgroundModelListSchema = z
  .object({
    items: z.array(
      z.object({
        id: z.string().meta({ description: 'Value for `model` in playground requests, as `provider/model`.' }),
        isDefault: z.boolean().meta({ description: 'Whether this model answers readers.' }),
      }),
    ),
    nextCursor: z.null(),
  })
  .meta({ id: 'PlaygroundModelList' })

const verdictSchema = z.object({
  verdict: z.string(),
  reasons: z.array(z.string()),
  sentences: z
    .array(
      z.object({
        text: z.string(),
        facts: z.array(z.object({ text: z.string(), isHeld: z.boolean() })).meta({
          description: 'Exact claims of the sentence, and whether a cited page contains them.',
        }),
        state: z.enum(sentenceVerdicts).exclude(['pending']),
      }),
    )
    .meta({ description: 'The answer, sentence by sentence; a code block counts as one.' }),
})
const stepSchema = z.object({
  toolName: z.string(),
  callId: z.string(),
  input: z.json(),
  tookMs: z.number(),
  outcome: z.enum(['returned', 'failed']),
  message: z.string().nullable(),
  pages: z.array(z.object({ path: z.string(), title: z.string(), score: z.number().nullable() })),
})
const timingsSchema = z.object({
  searchMs: z.number().nullable().meta({ description: 'Time until the first search returned.' }),
  firstTextMs: z.number().nullable(),
  totalMs: z.number(),
})
const costSchema = z.object({
  model: z.string().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable().meta({ description: 'Null if the model has no known price.' }),
})

/** Parts that only playground answers have, by the type of their frame. */
export const playgroundPartSchemas = {
  'data-docent-step': stepSchema,
  'data-docent-verdict': verdictSchema,
  'data-docent-timings': timingsSchema,
  'data-docent-cost': costSchema,
}

export type PlaygroundVerdict = z.output<typeof verdictSchema>
export type PlaygroundStep = z.output<typeof stepSchema>
export type PlaygroundPart =
  | { type: 'data-docent-step'; data: PlaygroundStep }
  | { type: 'data-docent-verdict'; data: PlaygroundVerdict }
  | { type: 'data-docent-timings'; data: z.output<typeof timingsSchema> }
  | { type: 'data-docent-cost'; data: z.output<typeof costSchema> }

/** A frame of the UI message stream, which `useChat` keeps as a part of the message. */
export function encodePlaygroundPart({ type, data }: PlaygroundPart): string {
  return `data: ${encodeStreamJson({ type, data })}\n\n`
}
