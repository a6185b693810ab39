import { z } from 'zod'

/** Settings of the installation that can be stored instead of being given by the environment. */
export const storedSettingNames = ['model', 'modelApiKey', 'modelBaseUrl'] as const
export type StoredSettingName = (typeof storedSettingNames)[number]

export const storedSettingSchema = z
  .object({
    name: z.enum(storedSettingNames),
    source: z
      .enum(['environment', 'stored', 'default'])
      .meta({ description: 'Where its value comes from. The environment and the configuration file win.' }),
    value: z.string().nullable().meta({ description: 'Null where there is none, and always for keys.' }),
    isSet: z.boolean(),
  })
  .meta({ id: 'StoredSetting' })

export const storedSettingListSchema = z
  .object({ items: z.array(storedSettingSchema), nextCursor: z.null() })
  .meta({ id: 'StoredSettingList' })

export const storedSettingChangeSchema = z
  .strictObject({
    value: z.string().trim().min(1).max(4_000).nullable().meta({ description: 'Null removes what is stored.' }),
  })
  .meta({ id: 'StoredSettingChange' })

export type StoredSettingResource = z.output<typeof storedSettingSchema>

export const modelCheckSchema = z
  .object({
    isUsable: z.boolean(),
    model: z.string().meta({ description: 'The model that answers now.' }),
    message: z.string().meta({ description: 'A sentence; what is wrong and what to do when it cannot be used.' }),
  })
  .meta({ id: 'ModelCheck' })
