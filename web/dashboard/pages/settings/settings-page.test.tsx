import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { StoredSettingResource } from '../../../../src/contract/model-settings.ts'
import { openPage } from '../../testing/open-page.tsx'

const settings: StoredSettingResource[] = [
  { name: 'model', source: 'default', value: 'docent/offline', isSet: true },
  { name: 'modelApiKey', source: 'default', value: null, isSet: false },
  { name: 'modelBaseUrl', source: 'default', value: null, isSet: false },
]
const listSettings = () => ({ items: settings, nextCursor: null })

it('shows editors the model alone, and nothing to change it with', async () => {
  openPage('/default/settings?view=webhooks', { role: 'editor', listSettings })

  await screen.findByText('docent/offline')

  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Model'])
  expect(within(screen.getByRole('main')).queryAllByRole('button')).toEqual([])
})

it('stores the address and the key before the model that needs them', async () => {
  const { user, service } = openPage('/default/settings', {
    listSettings,
    updateSetting: ({ params, body }) => ({ name: params['name'] as 'model', source: 'stored', ...body, isSet: true }),
  })

  await user.type(await screen.findByLabelText('Provider and model'), 'openai-compatible/qwen3')
  await user.type(screen.getByLabelText(/API base URL/), 'https://models.example.com')
  await user.type(screen.getByLabelText(/API key/), 'sk-typed')
  await user.click(screen.getByRole('button', { name: 'Save' }))

  await screen.findByText('Settings saved. They apply to the next answer.')
  const stored = service.sent.filter(({ id }) => id === 'updateSetting').map(({ params }) => params['name'])
  expect(stored).toEqual(['modelBaseUrl', 'modelApiKey', 'model'])
})

it('offers the models on this machine, and stores the address before the model that is chosen', async () => {
  const baseUrl = 'http://127.0.0.1:11434/v1'
  const { user, service } = openPage('/default/settings', {
    listSettings,
    listLocalModels: () => ({
      items: [{ server: 'Ollama', id: 'openai-compatible/qwen3:8b', baseUrl }],
      nextCursor: null,
    }),
    updateSetting: ({ params, body }) => ({ name: params['name'] as 'model', source: 'stored', ...body, isSet: true }),
  })

  await screen.findByText('qwen3:8b (Ollama)')
  await user.click(screen.getByRole('button', { name: 'Use openai-compatible/qwen3:8b' }))

  await screen.findByText('The model answers, starting with the next question.')
  const stored = service.sent
    .filter(({ id }) => id === 'updateSetting')
    .map(({ params, body }) => [params['name'], body])
  expect(stored).toEqual([
    ['modelBaseUrl', { value: baseUrl }],
    ['model', { value: 'openai-compatible/qwen3:8b' }],
  ])
})
