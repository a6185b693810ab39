import { z } from 'zod'
import {
  modelCheckSchema,
  storedSettingChangeSchema,
  storedSettingListSchema,
  storedSettingNames,
  storedSettingSchema,
} from '../model-settings.ts'
import { defineOperations } from './operation.ts'

export const settingOperations = defineOperations(
  { name: 'Settings', description: 'Settings of the installation that can be stored.' },
  {
    listSettings: {
      method: 'get',
      path: '/admin/v1/settings',
      summary: 'List the settings that can be stored',
      description: 'Keys are never shown.',
      access: 'viewer',
      replies: { 200: { description: 'The settings.', json: storedSettingListSchema } },
    },
    checkModel: {
      method: 'post',
      path: '/admin/v1/settings/model/check',
      summary: 'Try the model',
      description: 'Asks the model that answers now for a word, which costs a few tokens. Takes no body.',
      access: 'owner',
      replies: { 200: { description: 'What came of it.', json: modelCheckSchema } },
    },
    updateSetting: {
      method: 'put',
      path: '/admin/v1/settings/{name}',
      summary: 'Store a setting',
      description:
        'Stored encrypted, and in effect within two seconds in every process. Store a key before the model that needs it.',
      access: 'owner',
      audit: 'setting-changed',
      params: z.object({ name: z.enum(storedSettingNames) }),
      body: storedSettingChangeSchema,
      replies: { 200: { description: 'The setting.', json: storedSettingSchema } },
      errors: [409],
      neverErrors: [404],
    },
  },
)
