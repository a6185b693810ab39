import type { StoredSettingName } from '../../../../src/contract/model-settings.ts'
import { settingOperations } from '../../../../src/contract/operations/settings.ts'
import { call } from '../../api/call.ts'

/** Null deletes the stored value. */
export function updateSetting(name: StoredSettingName, value: string | null) {
  return call(settingOperations.updateSetting, { params: { name }, body: { value } })
}
