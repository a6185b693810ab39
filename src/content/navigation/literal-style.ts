import type { LiteralList, LiteralNode, LiteralRecord, LiteralValue } from './literal-node.ts'

/** How a file writes its literals. */
export interface LiteralStyle {
  isJson: boolean
  quote: '"' | "'" | '`'
  /** What a level is indented by. */
  unit: string
  lineEnd: string
  /** Whether records are on one line. */
  isInline: boolean
  /** Whether the last of several lines ends with a comma. */
  hasTrailingComma: boolean
}

/** Reads the style from what a list or record contains already, and from the file around it. */
export function readLiteralStyle(text: string, container: LiteralList | LiteralRecord): LiteralStyle {
  const isJson = /\.jsonc?$/i.test(container.file)
  const inside = text.slice(container.start, container.end)
  const children = container.kind === 'list' ? container.items : container.fields.map(({ value }) => value)
  const record = children.find((child) => child.kind === 'record')
  const quoted = /['"]/.exec(inside)?.[0] ?? /['"]/.exec(text)?.[0]
  return {
    isJson,
    quote: isJson || quoted === '"' ? '"' : "'",
    unit: readUnit(text),
    lineEnd: text.includes('\r\n') ? '\r\n' : '\n',
    isInline: record === undefined ? !isJson : !text.slice(record.start, record.end).includes('\n'),
    hasTrailingComma: !isJson && /,\s*[\]}]\s*$/.test(inside),
  }
}

function readUnit(text: string): string {
  const found = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return found.startsWith('\t') ? '\t' : found.length > 4 ? '  ' : found
}

/** The spaces before the first word of the line of an offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? ''
}

/** Writes a value in brackets and braces. */
export function writeLiteral(value: LiteralValue, style: LiteralStyle, indent: string): string {
  if (typeof value === 'string') return quoteText(value, style)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => writeLiteral(item, style, indent + style.unit))
    : Object.entries(value).map(([key, inner]) => {
        return `${writeKey(key, style)}: ${writeLiteral(inner, style, indent + style.unit)}`
      })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const isFlat = !isList && style.isInline && Object.values(value).every((inner) => typeof inner === 'string')
  if (isFlat) return `${open} ${parts.join(', ')} ${close}`
  const separator = style.lineEnd + indent + style.unit
  const last = style.hasTrailingComma ? ',' : ''
  return `${open}${separator}${parts.join(`,${separator}`)}${last}${style.lineEnd}${indent}${close}`
}

export function writeKey(key: string, style: LiteralStyle): string {
  return !style.isJson && /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteText(key, style)
}

export function quoteText(text: string, { quote }: Pick<LiteralStyle, 'quote'>): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  if (quote === '"') return json
  const inner = json.slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)
  return quote + (quote === '`' ? inner.replaceAll('${', '\\${') : inner) + quote
}

/** The quote that a text of a file is written with; empty for plain YAML. */
export function quoteOf(text: string, { start }: Pick<LiteralNode, 'start'>): LiteralStyle['quote'] | '' {
  const first = text[start]
  return first === '"' || first === "'" || first === '`' ? first : ''
}
