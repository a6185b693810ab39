import type { FactCollector } from './fact-collector.ts'

/** `env_prefix="ACME_"` of pydantic, `SetEnvPrefix("ACME")` of viper. */
const pythonPrefix = /\benv_prefix["']?[ \t]*[=:][ \t]*["']([A-Za-z]\w*)["']/
const goPrefix = /\bSetEnvPrefix\([ \t]*"([A-Za-z]\w*)"/
const pythonField =
  /^ {4}([a-z]\w*)[ \t]*:[ \t]*(?:Annotated\[[^\n]{0,100}\]|[^=(\n]{1,80})(?:[ \t]*=[ \t]*(?:Field\((?:[^\n]{0,100}?\bdefault[ \t]*=[ \t]*)?)?([^,)\n]{1,80}))?/
const goKey = /\b(?:SetDefault|BindPFlag|BindEnv)\([ \t]*"([\w.-]+)"(?:,[ \t]*("[^"\n]{0,80}"|[\w.]+)\))?/g

/** Adds variables whose names appear nowhere, because a library makes them of a prefix and the names of settings. */
export function addPrefixedVariables(lines: readonly string[], into: FactCollector): void {
  let prefix = ''
  for (const [index, line] of lines.entries()) {
    if (line.length > 500) continue
    const given = line.includes('refix') ? (pythonPrefix.exec(line)?.[1] ?? goPrefix.exec(line)?.[1]) : undefined
    if (given !== undefined) prefix = `${given.replace(/_+$/, '')}_`.toUpperCase()
    if (prefix === '') continue
    const [, field, value] = pythonField.exec(line) ?? []
    const keys =
      field === undefined ? [...line.matchAll(goKey)].map(([, key = '', set]) => [key, set]) : [[field, value]]
    for (const [key = '', written] of keys) {
      const name = prefix + key.replaceAll(/[.-]/g, '_').toUpperCase()
      into.add('variable', name, index + 1)
      if (written !== undefined) into.addDefault(name, written, index + 1)
    }
  }
}
