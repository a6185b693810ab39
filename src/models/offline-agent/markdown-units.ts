import { endOfSection, listHeadings, markFences, plain, refuse, type TextEdit } from './markdown-edits.ts'

/** A part of a page that can be named, removed or moved as a whole. */
export type UnitKind = 'section' | 'item' | 'row' | 'paragraph' | 'sentence'

/** Where a unit goes among its siblings. */
export type UnitPlace = { at: 'before' | 'after'; name: string } | { at: 'start' | 'end' }

interface Unit {
  kind: 'section' | 'item' | 'row' | 'paragraph'
  /** Lines, the last one exclusive. */
  start: number
  end: number
  /** Units with the same value are in one list, one table, or at one level of headings. */
  group: string
  /** What it may be called, the most exact first. */
  names: readonly string[]
}

/** Removes an item, a row or a paragraph that is named by its words. */
export function removeUnit(text: string, kind: UnitKind, name: string): TextEdit {
  const lines = text.split('\n')
  const found = findUnit(listUnits(lines, kind), name)
  return typeof found === 'string' ? refuse(found) : cutLines(lines, found)
}

export interface NthUnit {
  kind: UnitKind
  /** From 0, or -1 for the last. */
  position: number
  /** The heading above it; null for the whole page. */
  section: string | null
  /** Of several lists or tables, from 0, or -1 for the last; null if only one can be meant. */
  group: number | null
}

/** Removes a sentence, paragraph, item, row or section by its place. */
export function removeNth(text: string, { kind, position, section, group }: NthUnit): TextEdit {
  const lines = text.split('\n')
  const within = section === null ? { start: 0, end: lines.length } : findUnit(listUnits(lines, 'section'), section)
  if (typeof within === 'string') return refuse(within)
  const inside = listUnits(lines, kind).filter(({ start, end }) => start >= within.start && end <= within.end)
  // The title of a page is no section of it.
  const parts = kind === 'section' ? inside.filter((unit) => unit !== within && Number(unit.group) > 1) : inside
  const outer = parts.filter(
    (unit) => !parts.some((other) => other !== unit && other.start <= unit.start && other.end >= unit.end),
  )
  const groups = [...Map.groupBy(outer, (unit) => unit.group).values()]
  if (groups.length > 1 && group === null) return refuse('It is not clear which list or table is meant.')
  const units = groups.at(group ?? 0) ?? []
  const unit = units.at(kind === 'sentence' && position > 0 ? 0 : position)
  if (unit === undefined) return refuse(`There is no such ${kind}.`)
  // The instruction may mean a list or table before the first paragraph or after the last one.
  const isAtEdge = position === -1 ? isBlankBetween(lines, unit.end, within.end) : isFirst(lines, unit, within.start)
  if (unit.kind === 'paragraph' && ((kind === 'paragraph' && position > 0) || !isAtEdge))
    return refuse(`The page has something else in the place of that ${kind}.`)
  if (kind !== 'sentence') return cutLines(lines, unit)
  const sentences = splitSentences(lines.slice(unit.start, unit.end).join('\n'))
  if (position >= sentences.length) return refuse('There is no such sentence.')
  if (sentences.length === 1) return cutLines(lines, unit)
  const kept = sentences.filter((_, index) => index !== (position === -1 ? sentences.length - 1 : position))
  return { isOk: true, text: lines.toSpliced(unit.start, unit.end - unit.start, kept.join('').trimEnd()).join('\n') }
}

/** Moves a section, an item or a row among its siblings. @param kind Null where the words alone say what it is. */
export function moveUnit(text: string, kind: UnitKind | null, name: string, place: UnitPlace): TextEdit {
  const lines = text.split('\n')
  const kinds = kind === null ? (['section', 'row', 'item'] as const) : [kind]
  const found = kinds.map((each) => findUnit(listUnits(lines, each), name))
  const [unit, another] = found.filter((one) => typeof one !== 'string')
  if (unit === undefined) return refuse(found.find((one) => typeof one === 'string') ?? '')
  if (another !== undefined) return refuse(`“${name}” is the name of several things on the page.`)
  const beside = listUnits(lines, unit.kind).filter(({ group }) => group === unit.group)
  const target = 'name' in place ? findUnit(beside, place.name) : place.at === 'start' ? beside[0] : beside.at(-1)
  if (target === undefined || typeof target === 'string') return refuse(target ?? '')
  if (
    unit.kind === 'section' &&
    !('name' in place) &&
    listHeadings(lines).some(({ level }) => level > 1 && level < Number(unit.group))
  )
    return refuse('The section is a part of another one.')
  if (target === unit) return refuse('It is there already.')
  const isBefore = place.at === 'before' || place.at === 'start'
  const at = isBefore ? target.start : target.end
  const reason = describeUnbalanced(lines, unit) ?? describeUnbalanced(lines, target)
  if (reason !== null) return refuse(reason)
  const moved = lines.slice(unit.start, unit.end)
  const [before, between] = [lines.slice(0, at), lines.slice(at)]
  const cut = (part: string[], offset: number) =>
    part.filter((_, index) => index + offset < unit.start || index + offset >= unit.end)
  const parts = [cut(before, 0), moved, cut(between, at)]
  const joined = unit.kind === 'section' ? joinBlocks(parts) : parts.flat()
  return { isOk: true, text: renumber(joined, lines, unit).join('\n') }
}

/** Inserts a row beside another one. @param cells With `|` between them. */
export function insertRow(text: string, cells: string, place: UnitPlace & { name: string }): TextEdit {
  const lines = text.split('\n')
  const beside = findUnit(listRows(lines), place.name)
  if (typeof beside === 'string') return refuse(beside)
  const row = readCells(cells)
  const { length } = readCells(lines[beside.start] ?? '')
  if (row.length !== length) return refuse(`The table has ${length} columns, and the row ${row.length}.`)
  const line = `| ${row.map((cell) => cell.trim()).join(' | ')} |`
  return { isOk: true, text: lines.toSpliced(place.at === 'after' ? beside.end : beside.start, 0, line).join('\n') }
}

const readCells = (line: string) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)

function listUnits(lines: readonly string[], kind: UnitKind): Unit[] {
  if (kind === 'section') return listSections(lines)
  if (kind === 'item') return listItems(lines)
  return kind === 'row' ? listRows(lines) : listParagraphs(lines)
}

function listSections(lines: readonly string[]): Unit[] {
  const headings = listHeadings(lines)
  return headings.map((heading) => ({
    kind: 'section',
    start: heading.line,
    end: endOfSection(lines, heading, headings),
    group: String(heading.level),
    names: [heading.words],
  }))
}

const itemStart = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ x]\]\s+)?(\S.*)$/

const blockStart =
  /^\s*(?:(?:[-*+]|\d{1,9}[.)])(?:\s|$)|#{1,6}\s|[`~]{3}|[>|<{]|:::|!!!|\?\?\?|\/\/\/|(?:[-*_][ \t]*){3,}$)/

function listItems(lines: readonly string[]): Unit[] {
  const fenced = markFences(lines)
  const lists = new Map<number, number>()
  const items: Unit[] = []
  /** Text right below an item is a part of it, without any indentation as well. */
  const isContinued = (at: number) =>
    (lines[at - 1] ?? '').trim() !== '' && fenced[at - 1] !== true && !blockStart.test(lines[at] ?? '')
  for (const [start, line] of lines.entries()) {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0
    if (fenced[start] === true || line.trim() === '' || (lists.size > 0 && isContinued(start))) continue
    // A line that is further left ends the lists within, and one that is no item the list at its place as well.
    const [, , words] = itemStart.exec(line) ?? []
    for (const at of lists.keys()) if (at > indent || (at === indent && words === undefined)) lists.delete(at)
    if (words === undefined) continue
    if (!lists.has(indent)) lists.set(indent, start)
    let end = start + 1
    for (let next = end; next < lines.length; next++) {
      const other = lines[next] ?? ''
      if (other.trim() === '') continue
      if (other.search(/\S/) <= indent && !isContinued(next)) break
      end = next + 1
    }
    const lead =
      /^(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(words)?.[1]?.replace(/:$/, '') ?? words.split(/:\s| — | – /)[0] ?? ''
    items.push({
      kind: 'item',
      start,
      end,
      group: `${lists.get(indent)} ${indent}`,
      names: [words, lead],
    })
  }
  return items
}

function listRows(lines: readonly string[]): Unit[] {
  const fenced = markFences(lines)
  let table = -1
  return lines.flatMap((line, start): Unit[] => {
    if (fenced[start] === true || !line.includes('|')) table = -1
    else if (/^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/.test(line.trim()) && start > 0) table = start
    else if (table !== -1) {
      return [{ kind: 'row', start, end: start + 1, group: String(table), names: [readCells(line)[0] ?? ''] }]
    }
    return []
  })
}

/** Plain text between empty lines: neither lists and tables nor markup. */
function listParagraphs(lines: readonly string[]): Unit[] {
  const fenced = markFences(lines)
  const paragraphs: Unit[] = []
  for (let start = 0; start < lines.length; start++) {
    let end = start
    while (end < lines.length && fenced[end] !== true && lines[end]?.trim() !== '') end++
    const block = lines.slice(start, end)
    const isPlain = block.every(
      (line) => !/^\s*(?:[-*+>#|<{]|\d+[.)]|:::|!!!|\?\?\?|\/\/\/|import\s|export\s|\[[^\]]+\]:)|^\s{2,}|\|/.test(line),
    )
    if (block.length > 0 && isPlain)
      paragraphs.push({ kind: 'paragraph', start, end, group: '', names: [block.join(' ')] })
    start = Math.max(start, end)
  }
  return paragraphs
}

/** The only unit with this name, compared with all of its words, then with their beginning, then with any part. */
function findUnit(units: readonly Unit[], name: string): Unit | string {
  const wanted = readWords(name)
  const ways: readonly ((words: string) => boolean)[] = [
    (words) => words === wanted,
    (words) => words.startsWith(`${wanted} `) || words.startsWith(`${wanted}:`),
    (words) => ` ${words} `.includes(` ${wanted} `),
  ]
  for (const isNamed of ways) {
    const found = units.filter(({ names }) => names.some((words) => isNamed(readWords(words))))
    if (found.length > 1) return `“${name}” is there ${found.length} times.`
    if (found[0] !== undefined)
      return found[0].kind === 'section' && isNamed !== ways[0] ? `There is no heading “${name}”.` : found[0]
  }
  return `“${name}” is not there.`
}

/** Without the marks of links and emphasis, and without the sign at the end of a sentence. */
const readWords = (words: string) =>
  plain(words.replaceAll(/!?\[([^[\]]{0,500})\](?:\([^)]{0,1000}\)|\[[^\]]{0,500}\])/g, '$1')).replace(/[.:]$/, '')

function cutLines(lines: readonly string[], unit: Unit): TextEdit {
  const reason = describeUnbalanced(lines, unit)
  if (reason !== null) return refuse(reason)
  const before = lines.slice(0, unit.start)
  const after = lines.slice(unit.end)
  const isBlock =
    unit.kind === 'section' || unit.kind === 'paragraph' || (before.at(-1)?.trim() === '' && after[0]?.trim() === '')
  return {
    isOk: true,
    text: renumber(isBlock ? joinBlocks([before, after]) : [...before, ...after], lines, unit).join('\n'),
  }
}

/** With one empty line between them. */
function joinBlocks(blocks: readonly (readonly string[])[]): string[] {
  const used = blocks
    .map((block) =>
      block
        .join('\n')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd(),
    )
    .filter((block) => block !== '')
  return [...used.join('\n\n').split('\n'), '']
}

/** Items that were counted are counted again, from the number that the list began with. */
function renumber(lines: string[], before: readonly string[], { kind, group }: Unit): string[] {
  const [first = 0] = group.split(' ').map(Number)
  const from = Number(/^\s*(\d+)[.)]/.exec(before[first] ?? '')?.[1] ?? Number.NaN)
  if (kind !== 'item' || Number.isNaN(from)) return lines
  const counted = listItems(lines).filter((item) => item.group === group)
  // Some lists count every item as 1.
  if (new Set(counted.map(({ start }) => /\d+/.exec(lines[start] ?? '')?.[0])).size < 2) return lines
  for (const [index, { start }] of counted.entries())
    lines[start] = (lines[start] ?? '').replace(/^(\s*)\d+/, `$1${from + index}`)
  return lines
}

/** Moving or removing a unit must not separate a tag, comment, container or fence from its end. */
function describeUnbalanced(lines: readonly string[], { start, end }: Unit): string | null {
  const fenced = markFences(lines)
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  for (let at = start; at < end; at++) {
    const line = fenced[at] === true ? '' : (lines[at] ?? '').replaceAll(/`[^`]*`/g, '')
    for (const [tag, slash, name = ''] of line.matchAll(/<(\/?)([A-Z][\w.]*|details|div|table|ul|ol)\b[^<>]*>/g))
      if (!tag.endsWith('/>')) count(name, slash === '/' ? -1 : 1)
    // An arrow that closes no comment is text.
    const comments = (line.match(/<!--|\{\/\*/g)?.length ?? 0) - (line.match(/-->|\*\/\}/g)?.length ?? 0)
    if (comments > 0 || (counts.get('comment') ?? 0) > 0) count('comment', comments)
    const [, marks = '', opening] = /^\s*([:/]{3,})[ \t]*(\S)?/.exec(line) ?? []
    if (marks !== '') count(marks, opening === undefined ? -1 : 1)
  }
  if (markFences([...lines.slice(start, end), '']).at(-1) === true) count('```', 1)
  const [torn] = [...counts].find(([, open]) => open !== 0) ?? []
  return torn === undefined ? null : `“${torn}” goes beyond it, and would be torn.`
}

const isBlankBetween = (lines: readonly string[], start: number, end: number) =>
  lines.slice(start, end).every((line) => line.trim() === '')

/** Whether only the heading, frontmatter, imports or empty lines precede a unit. */
function isFirst(lines: readonly string[], { start }: Unit, from: number): boolean {
  const fenced = markFences(lines)
  return lines
    .slice(from, start)
    .every(
      (line, at) => (fenced[from + at] === true && !/^\s*[`~]{3}/.test(line)) || /^\s*$|^#{1,6} |^import\s/.test(line),
    )
}

const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|no|Dr|Mr|Mrs|St|z\. ?B|d\. ?h|u\. ?a|bzw|ca|p\. ?ex|Sra?)\.$/i

/** Each sentence with the space after it. Punctuation in code and links ends none. */
function splitSentences(paragraph: string): string[] {
  const masked = paragraph.replaceAll(/`[^`]*`|\]\([^)]*\)/g, (code) => '_'.repeat(code.length))
  const sentences: string[] = []
  let from = 0
  for (const { 0: end, index } of masked.matchAll(/[.!?]["”’)*_]*\s+(?=[\p{Lu}\p{N}"“‘(*_[<])/gu)) {
    if (abbreviation.test(masked.slice(Math.max(from, index - 8), index + 1))) continue
    sentences.push(paragraph.slice(from, index + end.length))
    from = index + end.length
  }
  return [...sentences, paragraph.slice(from)]
}
