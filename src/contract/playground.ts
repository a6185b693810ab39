import { z } from 'zod'
import { searchFilterSchema } from './search.ts'
import { encodeStreamJson } from './stream-json.ts'

const messageSchema = z.looseObject({ role: z.string(), parts: z.array(z.looseObject({ type: z.string() })) })

/** What the playground sends: the messages of a chat as the AI SDK holds them, and what is to be other than for readers. */
export const playgroundRequestSchema = z
  .looseObject({
    messages: z.array(messageSchema).min(1).meta({ description: 'As for `/discovery/v2/…/message`.' }),
    model: z.string().max(200).nullish().meta({
      description: 'One of the models that this installation is configured with, as `provider/model`.',
    }),
    instructions: z
      .string()
      .trim()
      .max(4_000)
      .nullish()
      .meta({ description: 'Instead of the instructions of the site; an empty text for none.' }),
    retrievalPageSize: z.number().min(1).nullish(),
    filter: searchFilterSchema.nullish(),
    currentPath: z.string().max(200).nullish(),
    skills: z.boolean().nullish().meta({ description: 'False leaves out the skills of the site.' }),
    groups: z
      .array(z.string().min(1).max(200))
      .max(100)
      .nullish()
      .meta({ description: 'Reads the site as a signed-in reader of these groups; as the public without it.' }),
  })
  .meta({ id: 'PlaygroundRequest' })

export const playgroundModelListSchema = z
  .object({
    items: z.array(
      z.object({
        id: z.string().meta({ description: 'For `model` of the playground, as `provider/model`.' }),
        isDefault: z.boolean().meta({ description: 'Whether readers are answered by it.' }),
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
          description: 'What the sentence states exactly, and whether a cited page holds it.',
        }),
        state: z.enum(['held', 'partial', 'missing', 'no-facts']),
      }),
    )
    .meta({ description: 'The answer, sentence by sentence; a block of code counts as one.' }),
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
  searchMs: z.number().nullable().meta({ description: 'Until the first search had returned.' }),
  firstTextMs: z.number().nullable(),
  totalMs: z.number(),
})
const costSchema = z.object({
  model: z.string().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable().meta({ description: 'Null when the price of the model is not known.' }),
})

/** The parts that an answer of the playground has besides those of every answer, by the type of their frame. */
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

/** A frame of the UI message stream; `useChat` keeps it as a part of the message. */
export function encodePlaygroundPart({ type, data }: PlaygroundPart): string {
  return `data: ${encodeStreamJson({ type, data })}\n\n`
}
