import { isHeading, type MarkdownBlock, readHeading, readInline, splitBlocks } from '../markdown/markdown-blocks.ts'
import type { Claim, ClaimAttribute } from './claim.ts'
import { absence, defaultCue } from './claim-cues.ts'
import { type ClaimKey, readClaimKey } from './claim-key.ts'
import { readClaimValue } from './claim-value.ts'
import { listMarks, maskInline, type MaskedText, splitSentences } from './masked-text.ts'
import { readSentenceClaim, readToldLater } from './sentence-claim.ts'

/** Options of one table, list or series of headings from which on it counts as their reference. */
const referenceOptionsMin = 3
const claimsMax = 5000

/** Headings whose sections tell how things were, or are on one condition. */
const datedHeading =
  /\b(?:v?\d+\.(?:\d|x)|v\d+|(?:19|20)\d\d|migrat\w*|upgrad\w*|breaking|deprecated|legacy|changes?|history|before|examples?)\b/i

/** What is being read of a page. */
interface PageReading {
  claims: DraftClaim[]
  /** Headings around the current block. */
  trail: { depth: number; text: string; key: ClaimKey | null }[]
  /** Enclosing list items and fields that are named for an option. */
  items: { indent: number; key: ClaimKey }[]
  block: number
  /** By table, section or parent heading: the options that it describes. */
  groups: Map<string, Set<string>>
}

interface DraftClaim extends Omit<Claim, 'form'> {
  /** Null for prose. */
  group: string | null
}

/**
 * Lists a page's unconditional statements about options: from tables, lists, fields, headings and sentences. Works on
 * its Markdown as readers see it, so that components and API operations need no rules of their own. Pure; linear time.
 */
export function readClaims(markdown: string): Claim[] {
  const reading: PageReading = { claims: [], trail: [], items: [], block: 0, groups: new Map() }
  for (const [index, block] of splitBlocks(markdown).entries()) {
    reading.block = index
    if (block.kind === 'heading') enterSection(reading, block)
    else if (block.kind === 'text') readText(reading, block.text.split('\n'))
    if (reading.claims.length > claimsMax) break
  }
  return reading.claims.slice(0, claimsMax).map(({ group, ...claim }) => {
    if (group === null) return { ...claim, form: 'prose' }
    const options = reading.groups.get(group)?.size ?? 0
    return { ...claim, form: options >= referenceOptionsMin ? 'reference' : 'entry' }
  })
}

function enterSection(reading: PageReading, { text, depth }: MarkdownBlock): void {
  while ((reading.trail.at(-1)?.depth ?? 0) >= depth) reading.trail.pop()
  reading.items = []
  const key = readHeadingKey(text)
  reading.trail.push({ depth, text: readHeading(text).text, key })
  if (key !== null) addToGroup(reading, headingGroup(reading), key)
}

/** A heading that is the name of an option, perhaps with its type: "### `timeout` (number)". */
function readHeadingKey(line: string): ClaimKey | null {
  const bare = line
    .replace(/^#+\s*/, '')
    .replace(/\{#[^}]*\}\s*$/, '')
    .trim()
  const [, code] =
    /^(?:The )?`([^`]+)`(?:\s*\([^)]*\)|\s*(?:option|setting|parameter|flag|property|variable))?[?:]?\s*$/i.exec(
      bare,
    ) ?? []
  const key = readClaimKey(code ?? bare)
  return code !== undefined || (key !== null && key.strength !== 'plain') || /^[a-z]\w*$/.test(bare) ? key : null
}

const headingGroup = ({ trail }: PageReading) => `heading ${trail.at(-2)?.text ?? ''}`
const sectionGroup = ({ trail }: PageReading) => `section ${trail.length} ${trail.at(-1)?.text ?? ''}`

function addToGroup({ groups }: PageReading, group: string, key: ClaimKey): void {
  const known = groups.get(group) ?? new Set()
  groups.set(group, known.add(key.id))
}

function readText(reading: PageReading, lines: readonly string[]): void {
  if (reading.trail.some(({ text }) => datedHeading.test(text))) return
  const isTable = /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(lines[1] ?? '') && (lines[1] ?? '').includes('|')
  if (isTable) return readTable(reading, lines)
  let unit: string[] = []
  let indent = 0
  const flush = () => {
    if (unit.length > 0) readUnit(reading, unit.join(' '), indent)
    unit = []
  }
  for (const [index, line] of lines.entries()) {
    const [, space = '', marker = ''] = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(line) ?? []
    if (marker !== '') flush()
    if (unit.length === 0) indent = space.length + (marker === '' ? 0 : 1)
    // A line break that the writer forced ends a field.
    if (/(?:\\| {2})$/.test(lines[index - 1] ?? '')) flush()
    if (!isHeading(line)) unit.push(marker === '' ? line.trim() : `- ${line.slice(space.length + marker.length)}`)
  }
  flush()
}

/** A paragraph that begins with an option and has a field for its default. */
const fieldStart = /^`[^`]+`\s*(?::|\([^)]*\):?|[–—-]\s)[^`]*[.(]\s*defaults?:\s/i

const itemStart =
  /^(?:- )?(?:\[[ x]\] )?(?:\*\*|__)?(?:\*\*|\[)?(?:`([^`]+)`|(-{0,2}[A-Za-z_$][\w.$-]*))(?:\]\([^()\s]*\))?(?:\*\*|__)?(?=\s*(?:[:(–—-]|\*\*|$|`))/

/** A list item or paragraph. Its name, if it starts with one, is what its sentences and the items within are about. */
function readUnit(reading: PageReading, unit: string, indent: number): void {
  const isItem = unit.startsWith('- ')
  const isField = isItem || fieldStart.test(unit) || unit.startsWith('**`')
  if (isField || indent === 0)
    reading.items = reading.items.filter((item) => item.indent < indent || (!isField && item.indent <= indent))
  const [lead = '', code, word] = isField ? (itemStart.exec(unit) ?? []) : []
  const key = readItemKey(code, word, unit)
  if (key !== null) {
    reading.items.push({ indent, key })
    addToGroup(reading, sectionGroup(reading), key)
  }
  const context = reading.items.at(-1)?.key ?? reading.trail.at(-1)?.key ?? null
  if (!defaultCue.test(unit) && !absence.test(unit)) return
  const body = key === null ? unit.replace(/^- /, '') : unit.slice(lead.length).replace(/^[\s:–—*-]+/, '')
  const isStructured = reading.items.length > 0 || (context !== null && isItem)
  const group = isStructured ? (reading.items.length > 0 ? sectionGroup(reading) : headingGroup(reading)) : null
  readSentences(reading, { body, context, group, description: unit })
}

function readItemKey(code: string | undefined, word: string | undefined, unit: string): ClaimKey | null {
  if (code !== undefined) return readClaimKey(code.split(/[\s:,]/)[0] ?? '')
  const key = word === undefined ? null : readClaimKey(word)
  const isNamed =
    key !== null &&
    (key.strength !== 'plain' || unit.startsWith('- **')) &&
    !/^(?:type|default|cli|note|example)/i.test(key.id)
  return isNamed ? key : null
}

interface SentenceInput {
  body: string
  context: ClaimKey | null
  group: string | null
  description: string
}

const label = /^(?:the )?default(?:s| value| setting)?\s*(?:[:=]|is\b|to\b)\s*(?:the )?(⟦\d+⟧|"[^"]*"|\S+)\s*(.*)$/i
/** The last part of "string, required, default: ⟦0⟧". */
const asideDefault =
  /(?:^|[,;.])\s*(?:the |by )?(?:default(?:s|ed)?|defaulting)(?:\s+values?)?\s*(?:[:=]|is\b|to\b)?\s*(⟦\d+⟧|[^\s,;⟦]+)\s*$/i
const inParentheses = /[([]([^()[\]]*?\bdefaults?\b[^()[\]]*)[)\]]/gi

function readSentences(reading: PageReading, { body, context, group, description }: SentenceInput): void {
  const masked = maskInline(body)
  const add = (key: ClaimKey, attribute: ClaimAttribute, written: string, text: string) => {
    const value = readClaimValue(written)
    if (value !== null) addClaim(reading, { key, attribute, value, group, text, description })
  }
  const text = masked.text.replace(inParentheses, (aside, inside: string, start: number) => {
    const [, mark] = /⟦(\d+)⟧:?\s*$/.exec(masked.text.slice(Math.max(0, start - 12), start)) ?? onlyMark(masked, start)
    const key = mark === undefined ? context : readClaimKey(masked.spans[Number(mark)] ?? '')
    const [, written = ''] = asideDefault.exec(inside) ?? []
    if (key === null || written === '') return aside
    add(key, 'default', unmask(written, masked.spans), unmask(inside, masked.spans))
    return ' '
  })
  let subject: ClaimKey | null = null
  const sentences = splitSentences({ ...masked, text })
  for (const [index, sentence] of sentences.entries()) {
    // "Default component: ⟦0⟧" is no value of the option.
    if (/^\W*default (?!values?\b|settings?\b|is\b|to\b|of\b|for\b)[a-z]+:/i.test(sentence.text)) continue
    const [, written = '', rest = ''] = label.exec(sentence.text) ?? []
    if (context !== null && written !== '' && /^[.,;]?$/.test(rest)) {
      add(context, 'default', unmask(written.replace(/[.,;]$/, ''), masked.spans), unmask(sentence.text, masked.spans))
      continue
    }
    // "It" is the only option of the sentence before.
    const isPronoun = context === null && /^(?:it|its default|the default)\b/i.test(sentence.text)
    // "Sessions last a day by default. Use ⟦0⟧ to change that."
    const pair = { ...sentence, text: `${sentence.text} ${sentences[index + 1]?.text ?? ''}` }
    const claim =
      readSentenceClaim(sentence, isPronoun ? subject : context) ?? (context === null ? readToldLater(pair) : null)
    const named = listMarks(sentence).flatMap((mark) => readClaimKey(sentence.spans[mark] ?? '') ?? [])
    subject = named.length === 1 ? (named[0] ?? null) : isPronoun ? subject : null
    if (claim !== null) addClaim(reading, { ...claim, group, text: unmask(sentence.text, masked.spans), description })
  }
}

/** The only option that a sentence names before what it says in parentheses. */
function onlyMark({ text, spans }: MaskedText, before: number): [string, string] | [] {
  const sentence =
    text
      .slice(0, before)
      .split(/[.!?]\s/)
      .at(-1) ?? ''
  const marks = listMarks({ text: sentence, spans })
  const [first] = marks
  const isNamed = /^\W*(?:The )?⟦|⟦\d+⟧(?: \w+){0,2}\s*$/.test(sentence)
  if (!isNamed || /\b(?:if|when|unless|only|version|example|deprecated|was|for|in|on)\b/i.test(sentence)) return []
  return marks.length === 1 ? ['', String(first)] : []
}

function unmask(text: string, spans: readonly string[]): string {
  return text.replace(/⟦(\d+)⟧/g, (_, index: string) => spans[Number(index)] ?? '')
}

type NewClaim = Omit<DraftClaim, 'block' | 'description'> & { description: string }

function addClaim(reading: PageReading, { description, ...claim }: NewClaim): void {
  const words = description.toLowerCase().match(/[a-z]{4,}/g) ?? []
  reading.claims.push({ ...claim, description: words.slice(0, 40), block: reading.block })
}

const keyColumn =
  /^(?:name|option|parameter|param|prop|property|setting|variable|env(?:ironment)?(?: variable)?|flag|field|key|argument|attribute|configuration|config|prop name)s?$/i
const valueColumns: readonly [RegExp, ClaimAttribute][] = [
  [/^(?:the )?default(?:s| values?| settings?)?$|^initial value$/i, 'default'],
  [/^(?:max(?:imum)?|upper limit)(?: values?)?$/i, 'maximum'],
  [/^(?:min(?:imum)?|lower limit)(?: values?)?$/i, 'minimum'],
]

function readTable(reading: PageReading, [header = '', , ...rows]: readonly string[]): void {
  const titles = splitCells(header).map(readInline)
  const named = titles.findIndex((title) => keyColumn.test(title))
  const columns = titles.map((title) => valueColumns.find(([pattern]) => pattern.test(title))?.[1] ?? null)
  const group = `table ${reading.block}`
  for (const row of rows) {
    const cells = splitCells(row)
    const key = readKeyCell(cells[named < 0 ? 0 : named] ?? '', named >= 0)
    if (key === null) continue
    addToGroup(reading, group, key)
    readRow(reading, { key, cells, columns, group, row })
  }
}

interface RowInput {
  key: ClaimKey
  cells: readonly string[]
  columns: readonly (ClaimAttribute | null)[]
  group: string
  row: string
}

function readRow(reading: PageReading, { key, cells, columns, group, row }: RowInput): void {
  for (const [column, attribute] of columns.entries()) {
    const cell = cells[column] ?? ''
    const value = attribute === null ? null : readClaimValue(readCell(cell))
    if (attribute !== null && value !== null)
      addClaim(reading, { key, attribute, value, group, text: row, description: row })
    if (attribute === null && !columns.includes('default') && defaultCue.test(cell))
      readSentences(reading, { body: cell, context: key, group, description: cell })
  }
}

/** One name, in code or in the column of names. */
function readKeyCell(cell: string, isNamed: boolean): ClaimKey | null {
  const codes = cell.match(/`[^`]+`/g) ?? []
  const [code] = codes
  if (code !== undefined) return readClaimKey(code.slice(1, -1).split(/[\s=,]/)[0] ?? '')
  return isNamed ? readClaimKey(readInline(cell).split(' › ').at(-1) ?? '') : null
}

/** The text of a cell that contains a single value. */
function readCell(cell: string): string {
  const codes = cell.match(/`[^`]*`/g) ?? []
  const bare = readInline(cell)
  return codes.length > 1 || (codes.length === 1 && bare !== codes[0]?.slice(1, -1).trim()) ? '' : bare
}

function splitCells(row: string): string[] {
  const cells = row
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim())
}
