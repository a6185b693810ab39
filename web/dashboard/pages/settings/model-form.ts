import type { StoredSettingName, StoredSettingResource } from '../../../../src/contract/model-settings.ts'

/** As it is typed. The key is empty unless another one is given, because the one that is stored is never shown. */
export interface ModelForm {
  model: string
  modelBaseUrl: string
  modelApiKey: string
}

export interface SettingChange {
  name: StoredSettingName
  /** Null removes what is stored. */
  value: string | null
}

export function toModelForm(settings: readonly StoredSettingResource[]): ModelForm {
  // What holds by default is not typed by anybody, and would be stored with the next change.
  const valueOf = (name: StoredSettingName) =>
    settings.find((setting) => setting.name === name && setting.source !== 'default')?.value ?? ''
  return { model: valueOf('model'), modelBaseUrl: valueOf('modelBaseUrl'), modelApiKey: '' }
}

/**
 * What has to be stored, in this order: the service tries each change out. A model goes before the address and the key that
 * it needed, and comes after those that it needs; an address comes before the key, which goes with the one before.
 */
export function listChanges(settings: readonly StoredSettingResource[], form: ModelForm): SettingChange[] {
  const before = toModelForm(settings)
  const changes = (['modelBaseUrl', 'modelApiKey', 'model'] as const).flatMap((name): SettingChange[] => {
    const value = form[name].trim()
    return value === before[name].trim() ? [] : [{ name, value: value === '' ? null : value }]
  })
  const isGone = (change: SettingChange) => change.name === 'model' && change.value === null
  return [...changes.filter(isGone), ...changes.filter((change) => !isGone(change))]
}
