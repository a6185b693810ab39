import { SettingsError } from '../../config/load-settings.ts'
import type { Settings } from '../../config/settings.ts'
import {
  findProvider,
  modelProviders,
  type ProviderAccount,
  type ProviderKeySetting,
  providerNames,
  splitModelId,
} from '../../contract/model-providers.ts'
import type { ProviderAccess } from './provider-adapters.ts'

/** The address of the provider of `DOCENT_MODEL`, as stored through the API or the dashboard. */
export interface StoredAddress {
  url: string
  /** The key stored with it, the only one that is ever sent there. */
  apiKey: string | undefined
}

/** How to reach providers. The environment and the configuration file belong to the operator. */
export type ProviderSettings = Pick<Settings, 'model' | 'modelBaseUrl' | 'modelApiKey' | ProviderKeySetting> & {
  /** If set, it replaces `modelBaseUrl`. */
  storedAddress?: StoredAddress | undefined
}

/** The `fetch` for providers, by who chose their address. */
export interface ProviderFetches {
  configured: typeof fetch
  stored: typeof fetch
}

export interface NamedModel {
  id: string
  /** The environment variable that names it. */
  setting: string
  account: ProviderAccount
  /** Whether `DOCENT_MODEL` uses the same account. */
  sharesMain: boolean
}

export function usesAccount({ model }: Pick<Settings, 'model'>, account: ProviderAccount): boolean {
  const name = findProvider(model, providerNames)
  return name !== null && modelProviders[name].account === account
}

/**
 * The address and key of `DOCENT_MODEL` are used only for its own provider: another one must not see that key.
 *
 * @throws {SettingsError} if the key or the address is missing.
 */
export function readChatAccess(
  named: NamedModel,
  settings: ProviderSettings,
  { configured, stored }: ProviderFetches,
): ProviderAccess {
  const { id, setting, account, sharesMain } = named
  if (sharesMain && settings.storedAddress !== undefined) {
    return { ...readStoredAccess(named, settings.storedAddress), fetch: stored }
  }
  if (!sharesMain && account.baseUrl === null) {
    const { provider } = splitModelId(id)
    throw refuse(setting, `names "${id}", which only works as a fallback when DOCENT_MODEL is ${provider} too`)
  }
  const own = sharesMain ? { baseUrl: settings.modelBaseUrl, apiKey: settings.modelApiKey } : {}
  const variables = { baseUrl: 'DOCENT_MODEL_BASE_URL', ...(sharesMain && { apiKey: 'DOCENT_MODEL_API_KEY' }) }
  return { ...completeAccess(named, settings, own, variables), fetch: configured }
}

/**
 * A stored address only ever gets the key stored with it: those who may store an address must not obtain the operator's
 * keys.
 */
function readStoredAccess({ id, account }: NamedModel, { url, apiKey }: StoredAddress): Omit<ProviderAccess, 'fetch'> {
  if (apiKey === undefined && account.key !== null) {
    throw refuse('modelApiKey', `is missing: store the key of ${id} for its stored address`)
  }
  return { baseURL: url, apiKey: apiKey ?? '' }
}

/** An address or key that overrides that of the account, or the environment variable of one. */
interface Overrides {
  baseUrl?: string | undefined
  apiKey?: string | undefined
}

/**
 * Adds the account's own address and key. Both are always passed explicitly, because provider packages fall back to the
 * environment.
 *
 * @param variables Named in the error about what is missing.
 * @throws {SettingsError} if the key or the address is missing.
 */
export function completeAccess(
  { id, setting, account }: Omit<NamedModel, 'sharesMain'>,
  settings: Partial<Pick<Settings, ProviderKeySetting>>,
  own: Overrides,
  variables: Overrides & { baseUrl: string },
): Omit<ProviderAccess, 'fetch'> {
  const baseURL = own.baseUrl ?? account.baseUrl
  const apiKey = own.apiKey ?? (account.key === null ? '' : settings[account.key.setting])
  if (baseURL === null) {
    throw refuse(variables.baseUrl, `is missing: say where ${id} is, such as http://localhost:11434/v1`)
  }
  if (apiKey === undefined) {
    const variable = account.key?.variable ?? ''
    const all = [variable, ...(variables.apiKey === undefined ? [] : [variables.apiKey])].join(' or ')
    throw refuse(variable, `is missing: ${setting} names ${id}, so set ${all} to its key`)
  }
  return { baseURL, apiKey }
}

export function refuse(where: string, message: string): SettingsError {
  return new SettingsError([{ where, message }])
}
