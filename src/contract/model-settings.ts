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

export const modelCheckSchema = z
  .object({
    isUsable: z.boolean(),
    model: z.string().meta({ description: 'The current model.' }),
    message: z.string().meta({ description: 'A sentence; if the model cannot be used, what is wrong and what to do.' }),
  })
  .meta({ id: 'ModelCheck' })
