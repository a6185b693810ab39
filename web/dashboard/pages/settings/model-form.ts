import type { StoredSettingName, StoredSettingResource } from '../../../../src/contract/model-settings.ts'

/** Values of the form. The key is empty unless a new one is typed, because the stored key is never shown. */
export interface ModelForm {
  model: string
  modelBaseUrl: string
  modelApiKey: string
}

export interface SettingChange {
  name: StoredSettingName
  /** Null deletes the stored value. */
  value: string | null
}

export function toModelForm(settings: readonly StoredSettingResource[]): ModelForm {
  // Leave defaults out: nobody typed them, and the next change would store them.
  const valueOf = (name: StoredSettingName) =>
    settings.find((setting) => setting.name === name && setting.source !== 'default')?.value ?? ''
  return { model: valueOf('model'), modelBaseUrl: valueOf('modelBaseUrl'), modelApiKey: '' }
}

/**
 * Changes in the order in which they must be stored, because the service tests each one. A model is removed before the
 * address and key it needed, and set after those it needs; the address is set before the key, because a new address
 * drops the previous key.
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
