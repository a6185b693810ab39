import { replaceOutsideSpans } from '../markdown/code-spans.ts'
import { type LiteralValue, showLiteral } from '../markdown/literal-value.ts'
import { fenceCode, inlineCode, joinBlocks, joinRows, toLine } from '../markdown/markdown-writing.ts'
import { isLook, isPhrase, propertyKind } from './property-kind.ts'

/** Writes a link with a root-relative address, or only its text if the link is disallowed. */
type WriteLink = (url: string, text: string) => string
type LiteralRecord = Map<string, LiteralValue>

const depthMax = 10

/** Writes the value of a component's property as Markdown: records as a table, code in a fence. Pure. */
export function writeLiteral(name: string, value: LiteralValue, link: WriteLink): string {
  if (value instanceof Map) return writeMap(value, link)
  if (!Array.isArray(value)) return writeText(name, showLiteral(value))
  if (value.some((item) => item instanceof Map)) return writeRecords(toRecords(value), link)
  if (value.some((item) => Array.isArray(item))) return writeLists(value)
  const texts = value.map((item) => escapeTags(showLiteral(item))).filter((text) => text !== '' && !isLook(text))
  return texts.some((text) => isPhrase(text)) ? texts.map((text) => `- ${toLine(text)}`).join('\n') : texts.join(', ')
}

/** Whether the value is code: by its property's name, or by lines that read like code. */
export function isCode(name: string, text: string): boolean {
  if (!text.trim().includes('\n')) return false
  return propertyKind(name) === 'code' || /[{};]|=>|-->|^\s*(?:\/\/|import |const |npm |\$ )/m.test(text)
}

function writeText(name: string, text: string): string {
  if (isCode(name, text)) return fenceCode(trimLines(text), name === 'chart' ? 'mermaid' : '')
  return isLook(text) ? '' : escapeTags(text)
}

export function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
}

/** Keeps `<T>` from being read as a tag. */
export function escapeTags(text: string): string {
  return replaceOutsideSpans(text, /(?<!\\)<(?=[A-Za-z/!])/g, () => String.raw`\<`)
}

/** A map of records is a table with the keys in front; other maps are one record. */
function writeMap(map: LiteralRecord, link: WriteLink): string {
  const shown = [...map].filter(([name]) => propertyKind(name) !== 'look')
  const isTable = shown.length > 0 && shown.every(([, value]) => value instanceof Map)
  return isTable ? writeRecords(toRecords(map), link) : writeRecord(map, link)
}

function toRecords(value: LiteralValue): LiteralRecord[] {
  if (value instanceof Map) {
    return [...value].flatMap(([name, inner]) => (inner instanceof Map ? [new Map([['name', name], ...inner])] : []))
  }
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => (item instanceof Map ? [item] : isText(item) ? [new Map([['name', item]])] : []))
}

function isText(value: LiteralValue): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function writeRecords(records: readonly LiteralRecord[], link: WriteLink): string {
  const hasCode = (record: LiteralRecord) =>
    record.entries().some(([name, value]) => typeof value === 'string' && isCode(name, value))
  return records.some(hasCode)
    ? joinBlocks(records.map((record) => writeRecord(record, link)))
    : writeTable(collectRows(records, { path: [], link, depth: 0 }))
}

/** One record as blocks: its title in bold, then its texts, code and lists. */
function writeRecord(record: LiteralRecord, link: WriteLink): string {
  const titleKey = titleKeyOf(record)
  const title = titleKey === undefined ? '' : `**${toLine(writeTitle(record, titleKey, link))}**`
  const language = languageOf(record, titleKey)
  const blocks = [...record].map(([name, value]) => {
    const kind = propertyKind(name)
    if (name === titleKey || kind === 'look' || (kind === 'link' && titleKey !== undefined)) return ''
    if (typeof value === 'string' && isCode(name, value)) return fenceCode(trimLines(value), language)
    const text = isText(value) || value === true ? writeCell(name, value) : writeLiteral(name, value, link)
    return text === '' || kind === 'text' || !isText(value) ? text : `${name}: ${text}`
  })
  return joinBlocks([title, ...blocks])
}

function languageOf(record: LiteralRecord, titleKey: string | undefined): string {
  const written = record.get('language') ?? record.get('lang')
  if (written !== undefined) return showLiteral(written)
  return /\.(\w{1,10})$/.exec(showLiteral(record.get(titleKey ?? '') ?? ''))?.[1] ?? ''
}

interface Row {
  /** The property that names the record. */
  key: string | undefined
  head: string
  cells: Map<string, string>
}

/** Rows of nested records follow the row of their holder and carry its name: `messages › role`. */
function collectRows(
  records: readonly LiteralRecord[],
  place: { path: readonly string[]; link: WriteLink; depth: number },
): Row[] {
  if (place.depth > depthMax) return []
  return records.flatMap((record) => {
    const { key, head, cells, nested } = readRow(record, place.link)
    const path = head === '' ? place.path : [...place.path, head]
    const inner = nested.flatMap((value) => collectRows(toRecords(value), { ...place, path, depth: place.depth + 1 }))
    const isGroup = cells.size === 0 && inner.length > 0
    const row = { key, head: key === undefined ? '' : path.join(' › '), cells }
    return isGroup || (row.head === '' && cells.size === 0) ? inner : [row, ...inner]
  })
}

function readRow(record: LiteralRecord, link: WriteLink) {
  const key = titleKeyOf(record)
  const cells = new Map<string, string>()
  const nested: LiteralValue[] = []
  for (const [name, value] of record) {
    if (name === key || propertyKind(name) === 'look') continue
    if (hasRecords(value)) nested.push(value)
    else if (key === undefined || propertyKind(name) !== 'link') {
      const cell = writeCell(name, value)
      if (cell !== '') cells.set(name, cell)
    }
  }
  return { key, head: key === undefined ? '' : writeTitle(record, key, link), cells, nested }
}

function hasRecords(value: LiteralValue): boolean {
  return value instanceof Map || (Array.isArray(value) && value.some((item) => item instanceof Map))
}

function titleKeyOf(record: LiteralRecord): string | undefined {
  const texts = [...record].filter(([, value]) => isText(value) && value !== '').map(([name]) => name)
  return texts.find((name) => propertyKind(name) === 'title') ?? texts.find((name) => name === 'type')
}

function writeTitle(record: LiteralRecord, key: string, link: WriteLink): string {
  const text = toLine(markType(showLiteral(record.get(key) ?? '')))
  const url = record.entries().find(([name, value]) => propertyKind(name) === 'link' && typeof value === 'string')?.[1]
  return typeof url === 'string' ? link(url, text) : text
}

function writeCell(name: string, value: LiteralValue): string {
  if (propertyKind(name) === 'flag') return value === true ? 'yes' : ''
  if (typeof value === 'boolean') return propertyKind(name) === 'detail' ? String(value) : ''
  const text = toLine(Array.isArray(value) ? value.map(showLiteral).join(', ') : showLiteral(value))
  if (isLook(text) && !/^-?[\d.]/.test(text)) return ''
  return /^(?:type|default|signature|returns)/i.test(name) ? markType(text) : escapeTags(text)
}

/** Types such as `Map<string, *>` would parse as markup. */
export function markType(type: string): string {
  return !type.includes('`') && /[<>[\]*_|{}]/.test(type) ? inlineCode(type) : escapeTags(type)
}

function writeTable(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))]
  const key = rows.find((row) => row.key !== undefined)?.key
  const cellsOf = (row: Row) => names.map((name) => row.cells.get(name) ?? '')
  const lines = rows.map((row) => (key === undefined ? cellsOf(row) : [row.head, ...cellsOf(row)]))
  const header = [...(key === undefined ? [] : [key]), ...names].map(nameColumn)
  return lines.length === 0 ? '' : joinRows(header, lines)
}

/** `isOptional` → `optional` */
function nameColumn(name: string): string {
  const words = name.replace(/^is(?=[A-Z])/, '').replace(/([a-z])(?=[A-Z])/g, '$1 ')
  return words.toLowerCase()
}

/** A list of lists is a table without a header. */
function writeLists(lists: readonly LiteralValue[]): string {
  const lines = lists.map((list) => (Array.isArray(list) ? list : [list]).map((item) => writeCell('', item)))
  const columns = lines.reduce((most, { length }) => Math.max(most, length), 0)
  return joinRows(
    Array.from({ length: columns }, () => ''),
    lines,
  )
}
