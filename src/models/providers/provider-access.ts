import { SettingsError } from '../../config/load-settings.ts'
import type { ModelEndpoint } from '../../config/settings/endpoint-settings.ts'
import type { Settings } from '../../config/settings.ts'
import {
  findEndpoint,
  findProvider,
  modelProviders,
  type ProviderAccount,
  type ProviderKeySetting,
  providerNames,
  splitModelId,
} from '../../contract/model-providers.ts'
import {
  type AccountSettingName,
  AccountSettingMissing,
  type AccountValues,
  describeAccountSetting,
} from '../../contract/provider-accounts.ts'
import type { ProviderAccess } from './provider-adapters.ts'

/** The address of the provider of `DOCENT_MODEL`, as stored through the API or the dashboard. */
export interface StoredAddress {
  url: string
  /** The key stored with it, the only one that is ever sent there. */
  apiKey: string | undefined
}

/** The keys and other settings of all accounts. */
export type AccountSettings = Partial<Pick<Settings, ProviderKeySetting | AccountSettingName | 'endpoints'>>

/** How to reach providers. The environment and the configuration file belong to the operator. */
export type ProviderSettings = Pick<Settings, 'model' | 'modelBaseUrl' | 'modelApiKey'> &
  AccountSettings & {
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
  return { baseURL: url, apiKey: apiKey ?? '', account: {} }
}

/**
 * The address, key and headers of a named endpoint. Those of `DOCENT_MODEL` and stored ones never apply to it.
 *
 * @returns Null for a model of a provider.
 * @throws {SettingsError} if there is no such endpoint.
 */
export function readEndpoint(
  { id, setting }: Pick<NamedModel, 'id' | 'setting'>,
  { endpoints = {} }: AccountSettings,
): ModelEndpoint | null {
  const name = findEndpoint(id)
  if (name === null) return null
  const endpoint = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined
  if (endpoint !== undefined) return endpoint
  const known = Object.keys(endpoints).map((other) => `compat.${other}/…`)
  const advice = known.length === 0 ? 'describe it there' : `use ${known.join(', ')}, or describe it there`
  throw refuse(setting, `names "${id}", whose endpoint is not in DOCENT_ENDPOINTS: ${advice}`)
}

export function accessEndpoint({ url, key = '', headers }: ModelEndpoint): Omit<ProviderAccess, 'fetch'> {
  return { baseURL: url, apiKey: key, account: {}, ...(headers !== undefined && { headers }) }
}

/** An address or key that overrides that of the account, or the environment variable of one. */
interface Overrides {
  baseUrl?: string | undefined
  apiKey?: string | undefined
}

/**
 * Adds the account's own address, key and settings. All are always passed explicitly, because provider packages fall
 * back to the environment.
 *
 * @param variables Named in the error about what is missing.
 * @throws {SettingsError} if the key or the address is missing.
 */
export function completeAccess(
  named: Omit<NamedModel, 'sharesMain'>,
  settings: AccountSettings,
  own: Overrides,
  variables: Overrides & { baseUrl: string },
): Omit<ProviderAccess, 'fetch'> {
  const { account } = named
  const values: AccountValues = Object.fromEntries((account.settings ?? []).map((name) => [name, settings[name]]))
  const apiKey = own.apiKey ?? findAccountKey(account, settings, values)
  if (apiKey === undefined) throw refuseWithoutKey(named, values, variables)
  const baseURL = own.baseUrl ?? computeAddress(named, values, apiKey !== '')
  if (baseURL === null) {
    throw refuse(variables.baseUrl, `is missing: say where ${named.id} is, such as http://localhost:11434/v1`)
  }
  return { baseURL, apiKey, account: values }
}

/** @returns Empty if none is needed, undefined if it is missing. */
function findAccountKey(
  { key, insteadOfKey = [] }: ProviderAccount,
  settings: AccountSettings,
  values: AccountValues,
): string | undefined {
  if (key === null) return ''
  const replacesKey = insteadOfKey.length > 0 && insteadOfKey.every((name) => values[name] !== undefined)
  return settings[key.setting] ?? (replacesKey ? '' : undefined)
}

function computeAddress(
  { id, setting, account: { baseUrl } }: Omit<NamedModel, 'sharesMain'>,
  values: AccountValues,
  hasKey: boolean,
): string | null {
  if (typeof baseUrl !== 'function') return baseUrl
  try {
    return baseUrl(values, hasKey)
  } catch (error) {
    if (!(error instanceof AccountSettingMissing)) throw error
    const { variable } = describeAccountSetting(error.setting)
    throw refuse(variable, `is missing: ${setting} names ${id}, whose address follows from it`)
  }
}

function refuseWithoutKey(
  { id, setting, account: { key, insteadOfKey = [] } }: Omit<NamedModel, 'sharesMain'>,
  values: AccountValues,
  variables: Overrides,
): SettingsError {
  const variable = key?.variable ?? ''
  const all = [variable, ...(variables.apiKey === undefined ? [] : [variables.apiKey])].join(' or ')
  const missing = insteadOfKey.filter((name) => values[name] === undefined)
  const others = missing.map((name) => describeAccountSetting(name).variable).join(' and ')
  const alternative = others === '' ? '' : `, or set ${others}`
  return refuse(variable, `is missing: ${setting} names ${id}, so set ${all} to its key${alternative}`)
}

export function refuse(where: string, message: string): SettingsError {
  return new SettingsError([{ where, message }])
}
