import type { FactCollector } from './fact-collector.ts'

const item = /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:struct|enum)[ \t]+\w+/
const field = /^[ \t]+(?:pub(?:\([^)]*\))?[ \t]+)?([a-z]\w*)[ \t]*:(?!:)/
const variant = /^[ \t]+([A-Z]\w*)[ \t]*(?:[({,]|$)/
const clap = /#\[(?:arg|clap|structopt|command)\(/
const attributeLinesMax = 12
/** A literal, perhaps made into a string, a path or a time. */
const literal =
  '(?:\\w+::from\\([ \\t]*)?("[^"\\n]{0,80}"|-?\\d[\\d_]*(?:\\.\\d+)?|true|false|Duration::from_\\w+\\([\\d_]+\\)|(?:\\w+::)+[A-Z]\\w*)'
const givenValue = new RegExp(`\\bdefault_values?(?:_t)?[ \\t]*=[ \\t]*${literal}`)
const valueFunction = new RegExp(
  `\\bfn[ \\t]+(\\w+)\\(\\)[ \\t]*->[^{\\n]{1,60}\\{[ \\t]*(?:\\n[ \\t]*)?${literal}[^\\n{}]{0,40}\\n?[ \\t]*\\}`,
  'g',
)
const fieldValue = new RegExp(`(?:^|[{,])[ \\t]*(\\w+):[ \\t]*${literal}(?=[ \\t]*(?:[,})*.]|$))`, 'g')
const fieldProduct = /(?:^|[{,])[ \t]*(\w+):[ \t]*(\d[\d_]*(?:[ \t]*\*[ \t]*\d[\d_]*)+)/g

/**
 * Adds what derive macros make of structs and enums: flags, commands and defaults of clap, keys of serde, and the values of
 * `impl Default`. Linear.
 */
export function readRustFacts(lines: readonly string[], into: FactCollector): void {
  const values = new Map(
    [...lines.join('\n').matchAll(valueFunction)].map(([, name = '', value = '']) => [name, value]),
  )
  let attributes = ''
  let around = ''
  let isDefault = false
  for (const [index, line] of lines.entries()) {
    if (line.length > 500) continue
    if (/^[ \t]*#\[/.test(line)) {
      attributes += readAttribute(lines, index)
      continue
    }
    if (item.test(line)) around = attributes
    if (/^\S/.test(line)) isDefault = /^impl\b.*\bDefault for\b/.test(line)
    if (isDefault) addValues(line, index + 1, into)
    addField({ line, at: index + 1, attributes, around, values }, into)
    if (!/^[ \t]*[")\]]|^[ \t]*$|^[ \t]+\w+[ \t]*=/.test(line)) attributes = ''
  }
}

function readAttribute(lines: readonly string[], index: number): string {
  let text = lines[index] ?? ''
  for (let next = index + 1; !/\][ \t]*$/.test(text) && next <= index + attributeLinesMax; next++) {
    text += ` ${(lines[next] ?? '').trim()}`
  }
  return `${text}\n`
}

function addValues(line: string, at: number, into: FactCollector): void {
  const products = [...line.matchAll(fieldProduct)]
  for (const [, name = '', value = ''] of products.length > 0 ? products : line.matchAll(fieldValue))
    addDefault(name, value, at, into)
}

interface RustLine {
  line: string
  at: number
  attributes: string
  /** Attributes of the struct or enum. */
  around: string
  values: ReadonlyMap<string, string>
}

function addField({ line, at, attributes, around, values }: RustLine, into: FactCollector): void {
  const name = field.exec(line)?.[1]
  if (name === undefined) {
    const command = /\bSubcommand\b/.test(around) ? variant.exec(line)?.[1] : undefined
    if (command !== undefined) into.add('command', readString(attributes, 'name') ?? toKebab(command), at)
    return
  }
  const kebab = name.replaceAll('_', '-')
  if (clap.test(attributes)) {
    const flag = readString(attributes, 'long') ?? (/\blong\b/.test(attributes) ? kebab : null)
    const given = givenValue.exec(attributes)?.[1]
    if (flag !== null) into.add('flag', `--${flag}`, at)
    if (given !== undefined) addDefault(flag ?? name, given, at, into)
  }
  if (!/#\[serde\(/.test(attributes + around)) return
  const key = readString(attributes, 'rename') ?? (/rename_all[ \t]*=[ \t]*"kebab-case"/.test(around) ? kebab : name)
  const value = values.get(readString(attributes, 'default') ?? '')
  into.add('member', key, at)
  if (value !== undefined) addDefault(key, value, at, into)
}

/** `ColorChoice::Auto` is written `auto`. */
function addDefault(name: string, written: string, at: number, into: FactCollector): void {
  const choice = /::([A-Z][a-z]\w*)$/.exec(written)?.[1]
  into.addDefault(name, choice === undefined ? written : `"${toKebab(choice)}"`, at)
}

function readString(attributes: string, name: string): string | null {
  return new RegExp(`\\b${name}[ \\t]*=[ \\t]*"([\\w-]+)"`).exec(attributes)?.[1] ?? null
}

function toKebab(name: string): string {
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1-$2').toLowerCase()
}
