import { isPrivateHost } from '../base/global-address.ts'
import { isPlainAddress } from '../base/plain-address.ts'
import { isGivenSetting, SettingsError } from '../config/load-settings.ts'
import { type Settings, settingsSchema } from '../config/settings.ts'
import { AppError } from '../contract/app-error.ts'
import { type StoredSettingName, storedSettingNames, type StoredSettingResource } from '../contract/model-settings.ts'
import { isOnLocalServer, type LocalServer, listLocalServers } from '../models/find-local-models.ts'
import type { ProviderSettings } from '../models/providers/provider-access.ts'
import { listInstallationValues, removeInstallationValue, setInstallationValue } from '../store/installation.ts'
import { openSecret, SealedSecretError, sealSecret } from '../store/sealed/sealed-secret.ts'
import type { Store } from '../store/store.ts'

export interface ModelSettingsDeps {
  store: Store
  /** 32 bytes; seals stored values. */
  key: Buffer
  /** The settings as loaded. */
  settings: Settings
  /** Creates the models that settings name. @throws {SettingsError} if that fails. */
  tryOut(settings: LiveSettings): Promise<unknown>
}

type StoredValues = Partial<Record<StoredSettingName, string>>

/** The row of a stored setting in the installation table, which its sealing is bound to. */
export function storedSettingRow(name: StoredSettingName): string {
  return `setting:${name}`
}

/** @throws {SealedSecretError} */
export function openStoredSetting(key: Buffer, name: StoredSettingName, sealed: string): string {
  return openSecret(key, storedSettingRow(name), sealed)
}

/**
 * The settings merged with the stored ones. A stored address is kept apart from `modelBaseUrl`, with the only key that
 * may be sent there: `modelApiKey` is then left out.
 */
export type LiveSettings = Settings & Pick<ProviderSettings, 'storedAddress'>

/**
 * The model, its key and its address as stored in the database, sealed because the key is a secret. The environment and
 * the configuration file take precedence. Changing the stored address removes the stored key.
 */
export class ModelSettings {
  readonly #deps: ModelSettingsDeps

  constructor(deps: ModelSettingsDeps) {
    this.#deps = deps
  }

  /**
   * The settings merged with the stored ones. A key belongs to its address, so if one of them cannot be unsealed, all
   * are ignored. The startup log, health and `docent doctor` report it.
   */
  async read(): Promise<LiveSettings> {
    return this.#merge(await this.#readStored())
  }

  /** The servers on this machine whose address may be stored. */
  get localServers(): readonly LocalServer[] {
    return listLocalServers(this.#deps.settings)
  }

  async list(): Promise<StoredSettingResource[]> {
    const stored = await this.#readStored()
    return storedSettingNames.map((name) => {
      const isSecret = settingsSchema.shape[name].meta()?.['isSecret'] === true
      const isGiven = this.#isGiven(name)
      const source = isGiven ? 'environment' : stored[name] === undefined ? 'default' : 'stored'
      const value = (isGiven ? undefined : stored[name]) ?? this.#deps.settings[name]
      return { name, source, isSet: value !== undefined, value: isSecret ? null : (value ?? null) }
    })
  }

  /**
   * Stores a setting, or removes it.
   *
   * @throws {AppError} `conflict` if the environment sets it; `invalid_request` if the value is invalid or the settings
   *   would no longer yield a model, so that what is stored always works.
   */
  async change(name: StoredSettingName, value: string | null): Promise<void> {
    const { env } = settingsSchema.shape[name].meta() as { env: string } // Every setting has one.
    if (this.#isGiven(name)) {
      throw new AppError('conflict', `${env} is set in the environment, which takes precedence. Remove it there first.`)
    }
    if (name === 'modelBaseUrl' && this.#isGiven('modelApiKey')) throw bound()
    if (value !== null && !settingsSchema.shape[name].safeParse(value).success) throw invalid(name)
    if (name === 'modelBaseUrl' && value !== null) this.#requirePublic(value)
    const stored = await this.#readStored()
    // A key belongs to one address, so changing the address must not send it elsewhere.
    const losesKey = name === 'modelBaseUrl' && value !== (stored.modelBaseUrl ?? null)
    if (losesKey) delete stored.modelApiKey
    if (value === null) delete stored[name]
    else stored[name] = value
    const settings = this.#merge(stored)
    try {
      await this.#deps.tryOut(settings)
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      throw unusable(error)
    }
    await this.#deps.store.durable.transaction().execute(async (transaction) => {
      if (losesKey) await removeInstallationValue(transaction, storedSettingRow('modelApiKey'))
      if (value === null) await removeInstallationValue(transaction, storedSettingRow(name))
      else
        await setInstallationValue(
          transaction,
          storedSettingRow(name),
          sealSecret(this.#deps.key, storedSettingRow(name), value),
        )
    })
  }

  #isGiven(name: StoredSettingName): boolean {
    return isGivenSetting(this.#deps.settings, name)
  }

  /** Rejects URLs that are visibly private. A name that resolves to a private network is caught when it is called. */
  #requirePublic(address: string): void {
    const { allowPrivateAddresses } = this.#deps.settings
    const url = new URL(address)
    if (isOnLocalServer(this.localServers, url)) return
    if (!isPlainAddress(url, allowPrivateAddresses) || (!allowPrivateAddresses && isPrivateHost(url.hostname))) {
      throw new AppError(
        'invalid_request',
        'A stored address must be public, on port 80 or 443, and without a password. For an address in a private network, set DOCENT_MODEL_BASE_URL in the environment, or set DOCENT_ALLOW_PRIVATE_ADDRESSES=true.',
      )
    }
  }

  #merge(stored: StoredValues): LiveSettings {
    const { settings } = this.#deps
    const used = storedSettingNames.filter((name) => stored[name] !== undefined && !this.#isGiven(name))
    const { modelBaseUrl, ...values }: StoredValues = Object.fromEntries(used.map((name) => [name, stored[name]]))
    // The operator's own key is never sent to a stored address.
    if (modelBaseUrl === undefined || this.#isGiven('modelApiKey')) return { ...settings, ...values }
    const storedAddress = { url: modelBaseUrl, apiKey: values.modelApiKey }
    return { ...settings, ...values, modelApiKey: undefined, storedAddress }
  }

  async #readStored(): Promise<StoredValues> {
    const rows = await listInstallationValues(this.#deps.store.durable, storedSettingNames.map(storedSettingRow))
    const values: StoredValues = {}
    for (const name of storedSettingNames) {
      const sealed = rows.get(storedSettingRow(name))
      if (sealed === undefined) continue
      const value = this.#open(name, sealed)
      if (value === null) return {}
      values[name] = value
    }
    return values
  }

  #open(name: StoredSettingName, sealed: string): string | null {
    try {
      return openStoredSetting(this.#deps.key, name, sealed)
    } catch (error) {
      if (error instanceof SealedSecretError) return null
      throw error
    }
  }
}

function bound(): AppError {
  return new AppError(
    'conflict',
    'DOCENT_MODEL_API_KEY is set in the environment, and that key is never sent to a stored address. Set DOCENT_MODEL_BASE_URL as well.',
  )
}

function invalid(name: StoredSettingName): AppError {
  const examples = {
    model: 'in the form provider/model, such as openai/gpt-5 or docent/offline',
    modelApiKey: 'a key',
    modelBaseUrl: 'an http or https address, such as https://models.example.com/v1',
  }
  return new AppError('invalid_request', `The value of ${name} is not ${examples[name]}. Correct it.`)
}

/** Explains the order in which to store the settings. */
function unusable({ faults }: SettingsError): AppError {
  const sentences = faults.map(({ where, message }) => `${where} ${message}`).join('; ')
  return new AppError(
    'invalid_request',
    `No model would work with this value: ${sentences}. Store modelBaseUrl first if one is needed, then modelApiKey, then model.`,
  )
}
