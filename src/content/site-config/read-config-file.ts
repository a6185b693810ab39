import { readText, type SourceFiles } from '../trees/read-text.ts'
import { type ConfigValue, unwrapCall } from './config-value.ts'
import { parseJson } from './parse-json.ts'
import { parseYamlConfig } from './parse-yaml-config.ts'
import { readConfigCode } from './read-config-code.ts'

/** Reads JSON, YAML, or the default export of code without running it. Undefined, with a finding, on failure. */
export async function readConfigFile(files: SourceFiles, file: string): Promise<ConfigValue> {
  if (!/\.(?:json|ya?ml)$/.test(file)) return unwrapCall((await readConfigCode(files, file))?.exported('default'))
  const text = await readText(files, file)
  if (text === null) return undefined
  const isJson = file.endsWith('.json')
  return isJson ? (parseJson(text, file, files.findings) as ConfigValue) : parseYamlConfig(text, file, files.findings) // JSON contains nothing else.
}
