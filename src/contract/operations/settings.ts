import { z } from 'zod'
import {
  localModelListSchema,
  modelCheckQuerySchema,
  modelCheckSchema,
  storedSettingChangeSchema,
  storedSettingListSchema,
  storedSettingNames,
  storedSettingSchema,
} from '../model-settings.ts'
import { brandSchema, brandUpdateSchema } from '../brand.ts'
import { defineOperations } from './operation.ts'

const tag = { name: 'Settings', description: 'Settings of the installation that are stored in the database.' }

export const settingOperations = defineOperations(tag, {
  listSettings: {
    method: 'get',
    path: '/admin/v1/settings',
    summary: 'List settings',
    description: 'Lists the settings that can be stored, with their current values. Model API keys are never returned.',
    access: 'viewer',
    replies: { 200: { description: 'The settings.', json: storedSettingListSchema } },
  },
  listLocalModels: {
    method: 'get',
    path: '/admin/v1/settings/model/local',
    summary: 'List local models',
    description:
      "Lists the models that Ollama and LM Studio offer at their usual addresses on the service's machine. Empty where replicas share a database, and where `DOCENT_FIND_LOCAL_MODELS` is false.",
    access: 'owner',
    replies: { 200: { description: 'The models.', json: localModelListSchema } },
  },
  getBrand: {
    method: 'get',
    path: '/admin/v1/brand',
    summary: 'Get the brand',
    description: 'The color and logo of the organization, which the dashboard, widgets and served pages share.',
    access: 'viewer',
    replies: { 200: { description: 'The brand.', json: brandSchema } },
  },
  updateBrand: {
    method: 'patch',
    path: '/admin/v1/brand',
    summary: 'Change the brand',
    description: 'Updates only the given fields; null removes one. Widgets of sites with their own color keep it.',
    access: 'owner',
    audit: 'brand-changed',
    body: brandUpdateSchema,
    replies: { 200: { description: 'The brand.', json: brandSchema } },
  },
  checkModel: {
    method: 'post',
    path: '/admin/v1/settings/model/check',
    summary: 'Test the model',
    description: 'Sends a short prompt to the current model, which costs a few tokens, or tests what a model can do.',
    access: 'owner',
    query: modelCheckQuerySchema,
    replies: { 200: { description: 'The result of the test.', json: modelCheckSchema } },
  },
  updateSetting: {
    method: 'put',
    path: '/admin/v1/settings/{name}',
    summary: 'Update a setting',
    description:
      'Stores the value encrypted. Takes effect within two seconds in every process. Store a model API key before the model that needs it.',
    access: 'owner',
    audit: 'setting-changed',
    params: z.object({ name: z.enum(storedSettingNames) }),
    body: storedSettingChangeSchema,
    replies: { 200: { description: 'The setting.', json: storedSettingSchema } },
    errors: [409],
    neverErrors: [404],
  },
})
