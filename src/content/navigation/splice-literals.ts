import { stringify } from 'yaml'
import type { LiteralField, LiteralList, LiteralRecord, LiteralText, LiteralValue, Splice } from './literal-node.ts'
import {
  indentAt,
  type LiteralStyle,
  quoteOf,
  quoteText,
  readLiteralStyle,
  writeKey,
  writeLiteral,
} from './literal-style.ts'

export type LiteralContainer = LiteralList | LiteralRecord

/** A new item of a list, or with a key a new field of a record. */
export interface NewElement {
  key?: string
  value: LiteralValue
}

/** An element as it is written elsewhere. Its lines after the first are indented relative to that. */
export interface WrittenElement {
  lines: readonly string[]
}

interface Element {
  start: number
  end: number
}

/** @returns The changes that write another text in the place of a text, with the same quotes. */
export function replaceLiteral(text: string, node: LiteralText, value: string): Splice {
  const { file, start, end } = node
  const quote = quoteOf(text, node)
  const written = quote === '' || isYaml(file) ? scalar(value, quote) : quoteText(value, { quote })
  return { file, start, end, text: written }
}

/** @returns The change that gives a field another key, with the same quotes. */
export function replaceKey(
  text: string,
  container: LiteralContainer,
  { start, value }: LiteralField,
  key: string,
): Splice {
  const { file } = container
  const end = text.slice(start, value.start).replace(/\s*:\s*$/, '').length + start
  const quote = quoteOf(text, { start })
  const style = { ...readLiteralStyle(text, container), ...(quote !== '' && { quote }) }
  const written = isYaml(file) ? scalar(key, quote) : quote === '' ? writeKey(key, style) : quoteText(key, style)
  return { file, start, end, text: written }
}

/** @returns The changes that put a new element at an index, which may be the number of elements. */
export function insertElement(
  text: string,
  container: LiteralContainer,
  index: number,
  added: NewElement | WrittenElement,
): Splice[] {
  if (isBlock(container)) return [insertLine(text, container, index, added)]
  const { file, start, end } = container
  const elements = elementsOf(container)
  const style = readLiteralStyle(text, container)
  const outer = indentAt(text, start)
  const [first] = elements
  const isOnLines = first === undefined ? style.isJson || 'key' in added : startsLine(text, first.start)
  const indent = first === undefined || !isOnLines ? outer + style.unit : indentAt(text, first.start)
  const element = writeElement(added, style, isOnLines ? indent : outer)
  const gap = isOnLines ? style.lineEnd + indent : ' '
  const put = (at: number, piece: string): Splice => ({ file, start: at, end: at, text: piece })
  if (first === undefined) {
    const body = isOnLines ? `${gap}${element}${style.lineEnd}${outer}` : element
    return [{ file, start: start + 1, end: end - 1, text: body }]
  }
  const before = elements[index - 1]
  if (before === undefined) {
    return [isOnLines ? put(start + 1, `${gap}${element},`) : put(first.start, `${element}, `)]
  }
  const comma = findComma(text, before.end, end)
  // A comment behind the element before stays with it.
  const lineOf = (offset: number) => (isOnLines ? endOfLine(text, offset, end) : offset)
  if (comma === null) return [put(before.end, ','), put(lineOf(before.end), `${gap}${element}`)]
  const isLast = index >= elements.length
  return [put(lineOf(comma + 1), `${gap}${element}${isLast && !isOnLines ? '' : ','}`)]
}

function writeElement(added: NewElement | WrittenElement, style: LiteralStyle, indent: string): string {
  if ('lines' in added) return added.lines.join(style.lineEnd + indent)
  const value = writeLiteral(added.value, style, indent)
  return added.key === undefined ? value : `${writeKey(added.key, style)}: ${value}`
}

/** @returns The changes that take an element out, with its lines if it has lines of its own. */
export function removeElement(text: string, container: LiteralContainer, index: number): Splice[] {
  const { file } = container
  const elements = elementsOf(container)
  const element = elements[index]
  if (element === undefined) return []
  const cut = (start: number, end: number): Splice => ({ file, start, end, text: '' })
  if (isBlock(container)) {
    return elements.length === 1 && container.kind === 'list'
      ? [{ file, start: element.start, end: element.end, text: '[]' }]
      : [cut(lineStart(text, element.start), nextLine(text, element.end))]
  }
  const comma = findComma(text, element.end, container.end)
  const end = comma === null ? element.end : comma + 1
  const previous = elements[index - 1]
  const isWholeLine = startsLine(text, element.start) && /^[ \t]*(?:\/\/[^\n]*)?\r?\n/.test(text.slice(end))
  if (!isWholeLine) {
    if (comma !== null) return [cut(element.start, end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0))]
    return [cut(previous?.end ?? element.start, end)]
  }
  const dangling = comma === null && previous !== undefined ? findComma(text, previous.end, element.start) : null
  const line = cut(lineStart(text, element.start), nextLine(text, end))
  return dangling === null ? [line] : [cut(dangling, dangling + 1), line]
}

/** Ranges of the elements, with their dashes and keys. */
export function elementsOf(container: LiteralContainer): Element[] {
  if (container.kind === 'list') {
    return container.items.map(({ start, end }, index) => ({ start: container.dashes?.[index] ?? start, end }))
  }
  // Fields that a record spreads are defined elsewhere.
  return container.fields.filter(({ start, end }) => start >= container.start && end <= container.end)
}

const isYaml = (file: string) => /\.ya?ml$/i.test(file)
export const isBlock = (container: LiteralContainer) =>
  container.kind === 'list' ? container.dashes !== null : container.isBlock

function insertLine(
  text: string,
  container: LiteralContainer,
  index: number,
  added: NewElement | WrittenElement,
): Splice {
  const elements = elementsOf(container)
  const [first = container] = elements
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const column = ' '.repeat(first.start - lineStart(text, first.start))
  const lines = 'lines' in added ? added.lines : writeLines(added)
  const written = lines.map((line) => column + line).join(lineEnd)
  const before = elements[index - 1]
  const at = before === undefined ? lineStart(text, first.start) : endOfLine(text, before.end, text.length)
  const piece = before === undefined ? written + lineEnd : lineEnd + written
  return { file: container.file, start: at, end: at, text: piece }
}

function writeLines({ key, value }: NewElement): readonly string[] {
  return key === undefined
    ? writeItem(value, '')
    : [`${scalar(key)}: ${scalar(typeof value === 'string' ? value : '')}`]
}

/** Lines of an item of a block list: `- page.md`, `- Title: page.md`, or a title and the items below it. */
function writeItem(value: LiteralValue, indent: string): string[] {
  if (typeof value === 'string') return [`${indent}- ${scalar(value)}`]
  return Object.entries(value).flatMap(([key, inner]: [string, LiteralValue]) => {
    if (typeof inner === 'string') return [`${indent}- ${scalar(key)}: ${scalar(inner)}`]
    const items = Array.isArray(inner) ? (inner as readonly LiteralValue[]) : [] // Else nothing is written below it.
    return [`${indent}- ${scalar(key)}:`, ...items.flatMap((item) => writeItem(item, `${indent}    `))]
  })
}

function scalar(value: string, quote: '"' | "'" | '`' | '' = ''): string {
  const type = quote === '"' ? 'QUOTE_DOUBLE' : quote === "'" ? 'QUOTE_SINGLE' : 'PLAIN'
  return stringify(value, { defaultStringType: type, lineWidth: 0 }).trimEnd()
}

export const lineStart = (text: string, offset: number) => text.lastIndexOf('\n', offset - 1) + 1
const startsLine = (text: string, offset: number) => text.slice(lineStart(text, offset), offset).trim() === ''

function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end + 1
}

/** Before the line feed; not beyond `limit`, the end of the container. */
function endOfLine(text: string, offset: number, limit: number): number {
  const found = text.indexOf('\n', offset)
  const end = found === -1 ? text.length : text[found - 1] === '\r' ? found - 1 : found
  const rest = text.slice(offset, Math.min(end, limit))
  return /^[ \t]*(?:(?:\/\/|#).*|\/\*.*\*\/[ \t]*)?$/.test(rest) && end <= limit ? end : offset
}

/** The comma behind an element, past spaces and comments. */
function findComma(text: string, from: number, end: number): number | null {
  const trivia = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
  trivia.lastIndex = from
  trivia.exec(text)
  return trivia.lastIndex < end && text[trivia.lastIndex] === ',' ? trivia.lastIndex : null
}
