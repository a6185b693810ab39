import { expect, it } from 'vitest'
import type { StoredSettingResource } from '../../../../src/contract/model-settings.ts'
import { listChanges } from './model-form.ts'

const stored = (values: Partial<Record<StoredSettingResource['name'], string | null>>): StoredSettingResource[] =>
  (['model', 'modelApiKey', 'modelBaseUrl'] as const).map((name) => {
    const value = values[name] ?? null
    return { name, source: value === null ? 'default' : 'stored', value, isSet: value !== null }
  })

it('stores the address before the key and the key before the model that needs both', () => {
  const form = { model: 'openai-compatible/qwen', modelBaseUrl: 'http://127.0.0.1:11434/v1 ', modelApiKey: 'sk-1' }

  expect(listChanges(stored({}), form)).toEqual([
    { name: 'modelBaseUrl', value: 'http://127.0.0.1:11434/v1' },
    { name: 'modelApiKey', value: 'sk-1' },
    { name: 'model', value: 'openai-compatible/qwen' },
  ])
})

it('removes a model before what it needed, and leaves alone what did not change', () => {
  const settings = stored({ model: 'openai/gpt-5', modelBaseUrl: 'http://127.0.0.1:1234/v1' })

  expect(listChanges(settings, { model: '', modelBaseUrl: '', modelApiKey: '' })).toEqual([
    { name: 'model', value: null },
    { name: 'modelBaseUrl', value: null },
  ])
  expect(
    listChanges(settings, { model: 'openai/gpt-5', modelBaseUrl: 'http://127.0.0.1:1234/v1', modelApiKey: '' }),
  ).toEqual([])
})
