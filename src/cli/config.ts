import { displaySetting } from '../config/load-settings.ts'
import { readEnvironment } from '../config/read-environment.ts'
import { listSettings } from '../config/settings.ts'
import { formatTable, type Output } from './output.ts'

/** `docent config`: the effective settings, with secrets hidden. */
export function config(output: Output): void {
  const settings = readEnvironment()
  const shown = listSettings().map(({ name, meta }) => ({ name, meta, value: displaySetting(name, settings) }))
  output.result(Object.fromEntries(shown.map(({ name, value }) => [name, value])), () =>
    formatTable(
      ['SETTING', 'VARIABLE', 'VALUE'],
      shown.map(({ name, meta, value }) => [name, meta.env, String(value ?? `(${meta.defaultText ?? 'not set'})`)]),
    ),
  )
}
