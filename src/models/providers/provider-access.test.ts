import { expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import type { ProviderAccount } from '../../contract/model-providers.ts'
import { completeAccess, type ProviderFetches, readChatAccess } from './provider-access.ts'

/** A provider that is not on any list: its key is in the environment. */
const settings = loadSettings({ env: { OPENAI_API_KEY: 'key-of-environment', DOCENT_MODEL_API_KEY: 'key-of-main' } })
const account: ProviderAccount = {
  key: { setting: 'openaiApiKey', variable: 'NEW_API_KEY' },
  baseUrl: 'https://new.example.com/v1',
}
const named = { id: 'new/model', setting: 'DOCENT_MODEL', account, sharesMain: true }
const fetches: ProviderFetches = { configured: fetch, stored: async () => Response.json({}) }

it('sends only the stored key of a new provider to a stored address', () => {
  const storedAddress = { url: 'https://stored.example.com', apiKey: 'stored-key' }

  const access = readChatAccess(named, { ...settings, storedAddress }, fetches)

  expect(access).toEqual({ baseURL: storedAddress.url, apiKey: 'stored-key', account: {}, fetch: fetches.stored })
})

it('refuses a stored address without a key rather than send it the key from the environment', () => {
  const storedAddress = { url: 'https://stored.example.com', apiKey: undefined }

  expect(() => readChatAccess(named, { ...settings, storedAddress }, fetches)).toThrow('modelApiKey is missing')
})

it('never sends the key of DOCENT_MODEL to another provider', () => {
  const access = readChatAccess({ ...named, sharesMain: false }, settings, fetches)

  expect(access).toMatchObject({ baseURL: account.baseUrl, apiKey: 'key-of-environment' })
})

it('names the variable of a missing key, and the one that may replace it', () => {
  const complete = () => completeAccess(named, {}, {}, { baseUrl: 'BASE_URL', apiKey: 'OTHER_KEY' })

  expect(complete).toThrow('NEW_API_KEY is missing: DOCENT_MODEL names new/model, so set NEW_API_KEY or OTHER_KEY to')
})
