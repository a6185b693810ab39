import { z } from 'zod'

/** Settings that can be stored in the database instead of being set in the environment. */
export const storedSettingNames = ['model', 'modelApiKey', 'modelBaseUrl'] as const
export type StoredSettingName = (typeof storedSettingNames)[number]

export const storedSettingSchema = z
  .object({
    name: z.enum(storedSettingNames),
    source: z
      .enum(['environment', 'stored', 'default'])
      .meta({ description: 'Origin of the value. The environment and the configuration file take precedence.' }),
    value: z.string().nullable().meta({ description: 'Null if unset, and always for keys.' }),
    isSet: z.boolean(),
  })
  .meta({ id: 'StoredSetting' })

export const storedSettingListSchema = z
  .object({ items: z.array(storedSettingSchema), nextCursor: z.null() })
  .meta({ id: 'StoredSettingList' })

export const storedSettingChangeSchema = z
  .strictObject({
    value: z.string().trim().min(1).max(4_000).nullable().meta({ description: 'Null removes the stored value.' }),
  })
  .meta({ id: 'StoredSettingChange' })

export type StoredSettingResource = z.output<typeof storedSettingSchema>

export const localModelSchema = z
  .object({
    server: z.string().meta({ description: 'The program that serves it, such as Ollama.' }),
    id: z.string().meta({ description: 'To store as `model`.' }),
    baseUrl: z.string().meta({ description: 'To store as `modelBaseUrl`.' }),
  })
  .meta({ id: 'LocalModel' })
export type LocalModel = z.output<typeof localModelSchema>

export const localModelListSchema = z
  .object({ items: z.array(localModelSchema), nextCursor: z.null() })
  .meta({ id: 'LocalModelList' })

const modelCheckItemSchema = z
  .object({
    check: z.enum(['connection', 'streaming', 'usage', 'options', 'tools', 'prompt caching', 'images', 'embeddings']),
    state: z.enum(['works', 'missing', 'failed']).meta({
      description: '`missing` if the model works without it.',
    }),
    message: z.string(),
  })
  .meta({ id: 'ModelCheckItem' })
export type ModelCheckItem = z.output<typeof modelCheckItemSchema>

export const modelCheckQuerySchema = z.object({
  model: z.string().max(400).optional().meta({ description: 'Another model to test, as `provider/model`, alone.' }),
  scope: z.enum(['quick', 'full', 'estimate']).optional().meta({
    description:
      '`quick`, the default, asks for one word. `full` also tries streaming, tools, prompt caching, images and embeddings. `estimate` calls nothing, and says what `full` may cost.',
  }),
})

export const modelCheckSchema = z
  .object({
    isUsable: z.boolean(),
    model: z.string().meta({ description: 'The current model.' }),
    message: z.string().meta({ description: 'A sentence; if the model cannot be used, what is wrong and what to do.' }),
    checks: z.array(modelCheckItemSchema).meta({ description: 'What was tried; empty unless `scope` is `full`.' }),
  })
  .meta({ id: 'ModelCheck' })

export type ModelCheckResource = z.output<typeof modelCheckSchema>
