import { ComputedValue, type ConfigValue, isConfigObject } from './config-value.ts'
import type { FindingList } from '../finding-list.ts'

/**
 * Typed access to configuration settings. Settings of another type count as unset. So do computed settings, which are
 * reported when accessed.
 */
export class ConfigFields {
  readonly #value: ConfigValue
  readonly #name: string
  readonly #findings: FindingList

  constructor(value: ConfigValue, name: string, findings: FindingList) {
    this.#value = value
    this.#name = name
    this.#findings = findings
  }

  get(key: string): ConfigValue {
    if (!isConfigObject(this.#value)) return undefined
    const value = this.#value[key]
    if (value instanceof ComputedValue) {
      reportComputed(value, this.#nameOf(key), this.#findings)
      return undefined
    }
    return value
  }

  has(key: string): boolean {
    return isConfigObject(this.#value) && this.#value[key] !== undefined
  }

  text(key: string): string | undefined {
    const value = this.get(key)
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
  }

  flag(key: string): boolean | undefined {
    const value = this.get(key)
    return typeof value === 'boolean' ? value : undefined
  }

  number(key: string): number | undefined {
    const value = this.get(key)
    return typeof value === 'number' ? value : undefined
  }

  list(key: string): readonly ConfigValue[] {
    const value = this.get(key)
    return Array.isArray(value) ? value : []
  }

  /** The strings of a list, or a single string as a list. */
  texts(key: string): string[] {
    const value = this.get(key)
    const list = Array.isArray(value) ? value : [value]
    return list.filter((item) => typeof item === 'string')
  }

  /** A nested object; empty if there is none. */
  fields(key: string): ConfigFields {
    return new ConfigFields(this.get(key), this.#nameOf(key), this.#findings)
  }

  /** The fields of an item of one of these lists. */
  within(value: ConfigValue, name = this.#name): ConfigFields {
    return new ConfigFields(value, name, this.#findings)
  }

  keys(): string[] {
    return isConfigObject(this.#value) ? Object.keys(this.#value) : []
  }

  #nameOf(key: string): string {
    return this.#name === '' ? key : `${this.#name}.${key}`
  }
}

/** Reports a setting that is ignored because it is computed. */
export function reportComputed(value: ComputedValue, name: string, findings: FindingList): void {
  const { file, line } = value
  const message = `${name} is computed by code, which is not run, so the setting is ignored. Write it as literals.`
  findings.add({ file, line, rule: 'config-not-literal', message })
}
