import type { Given } from '../panel-contract.ts'

/** Reads a value of an attribute, the service or `docent.update`. Undefined if it is absent or unusable. */
export type Parse<Value> = (given: unknown) => Value | undefined

/** How a setting is read, and its value where nobody sets it. */
export type Setting<Value> = readonly [parse: Parse<Value>, fallback: Value]

type SettingTable = Readonly<Record<string, Setting<unknown>>>

export type SettingsOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never
}

/** Takes each setting from the first source that has a usable value. */
export function readSettings<Table extends SettingTable>(table: Table, sources: readonly Given[]): SettingsOf<Table> {
  const settings = Object.entries(table).map(([name, [parse, fallback]]) => [
    name,
    sources.map((given) => parse(given[name])).find((value) => value !== undefined) ?? fallback,
  ])
  // Each value comes from the parser of its name.
  return Object.fromEntries(settings) as SettingsOf<Table>
}

/** Accepts texts that match a pattern. */
export function parseText(pattern = /./): Parse<string> {
  return (given) => (typeof given === 'string' && pattern.test(given) ? given : undefined)
}

export function parseOneOf<const Word extends string>(...words: Word[]): Parse<Word> {
  return (given) => words.find((word) => word === given)
}

/** An attribute without a value is true. */
export const parseFlag: Parse<boolean> = (given) => ({ '': true, true: true, false: false })[String(given)]
