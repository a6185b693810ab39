import { parseDocument } from 'yaml'
import { toYamlValue } from '../../base/yaml-value.ts'
import type { ConfigValue } from './config-value.ts'
import type { FindingList } from '../finding-list.ts'

const aliasesMax = 100

/**
 * Parses YAML configuration; undefined, with a finding, on failure. Language-specific tags are read as plain values.
 */
export function parseYamlConfig(text: string, file: string, findings: FindingList): ConfigValue {
  const report = (line: number | null, reason: string) => {
    const message = `The file is not valid YAML: ${reason.split('\n')[0] ?? ''}`
    findings.add({ file, line, rule: 'config-unparsable', message })
  }
  try {
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) report(text.slice(0, error.pos[0]).split('\n').length, error.message)
    // YAML without custom tags only yields strings, numbers, booleans, null, lists and objects.
    return toYamlValue(document, aliasesMax) as ConfigValue
  } catch (error) {
    report(null, error instanceof Error ? error.message : String(error))
    return undefined
  }
}
