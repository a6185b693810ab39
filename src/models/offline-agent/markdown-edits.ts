/** Where a block of Markdown goes. Headings are named by their words, texts by a part of them. */
export type BlockPlace = { at: 'start' | 'end' } | PlaceAtHeading | PlaceBesideText

interface PlaceAtHeading {
  at: 'after-heading' | 'under-heading' | 'after-section' | 'before-heading'
  heading: string
}

interface PlaceBesideText {
  at: 'after-text' | 'before-text'
  text: string
  /** The block becomes an item of the list that the text is in. */
  isItem?: boolean
}

/** An edited text, or the reason why it cannot be edited. */
export type TextEdit = { isOk: true; text: string } | { isOk: false; reason: string }

interface Heading {
  line: number
  level: number
  words: string
}

/** Replaces the words of a heading. Its id, if it is written, stays. */
export function renameHeading(text: string, from: string, to: string): TextEdit {
  return atHeading(text, from, (lines, { line, level }) => {
    const id = /\s*\{#[^}]*\}\s*$/.exec(lines[line] ?? '')?.[0] ?? ''
    return lines.with(line, `${'#'.repeat(level)} ${to}${id.trimEnd()}`)
  })
}

/** Removes a heading with everything up to the next one that is not below it. */
export function removeSection(text: string, heading: string): TextEdit {
  return atHeading(text, heading, (lines, found) =>
    lines.toSpliced(found.line, endOfSection(lines, found) - found.line),
  )
}

/** Inserts a block with blank lines around it, or none between items of a list. */
export function insertBlock(text: string, block: string, place: BlockPlace): TextEdit {
  const lines = text.split('\n')
  if ('heading' in place)
    return atHeading(text, place.heading, (_, heading) => insertLines(lines, lineAt(lines, heading, place.at), block))
  if ('text' in place) return insertBeside(lines, block, place)
  return done(insertLines(lines, place.at === 'end' ? lines.length : startOfContent(lines), block))
}

/** Removes a text that occurs once, with its line where nothing else is on it. */
export function removeText(text: string, removed: string): TextEdit {
  const count = text.split(removed).length - 1
  if (count !== 1) return refuse(count === 0 ? `“${removed}” is not there.` : `“${removed}” is there ${count} times.`)
  const [before = '', after = ''] = text.split(removed)
  if (/[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(removed)) return refuse(partOfWord(removed))
  if (/[\p{L}\p{N}]$/u.test(removed) && /^[\p{L}\p{N}]/u.test(after)) return refuse(partOfWord(removed))
  const lineStart = before.lastIndexOf('\n') + 1
  const [restOfLine = ''] = after.split('\n', 1)
  if (restOfLine.trim() === '') {
    const start = before.slice(0, lineStart)
    const next = after.slice(restOfLine.length + 1)
    if (!/^(?:[-*+]|\d+[.)])?$/.test(before.slice(lineStart).trim()))
      return done(`${before.replace(/(?<![ \t])[ \t]+$/, '')}${after}`.split('\n'))
    return done(`${start}${start.endsWith('\n\n') ? next.replace(/^\n+/, '') : next}`.split('\n'))
  }
  return done(`${before}${/(?:^|\s)$/.test(before) ? after.replace(/^[ \t]+/, '') : after}`.split('\n'))
}

function partOfWord(text: string): string {
  return `“${text}” is a part of a word there.`
}

function lineAt(lines: readonly string[], heading: Heading, at: PlaceAtHeading['at']): number {
  if (at === 'before-heading') return heading.line
  if (at === 'after-heading') return heading.line + 1
  if (at === 'after-section') return endOfSection(lines, heading)
  return listHeadings(lines).find(({ line }) => line > heading.line)?.line ?? lines.length
}

function insertBeside(
  lines: readonly string[],
  given: string,
  { at, text, isItem = false }: PlaceBesideText,
): TextEdit {
  const whole = lines.join('\n')
  const count = whole.split(text).length - 1
  if (count !== 1) return refuse(count === 0 ? `“${text}” is not there.` : `“${text}” is there ${count} times.`)
  const start = whole.slice(0, whole.indexOf(text)).split('\n').length - 1
  const last = start + text.split('\n').length - 1
  const marker = /^[ \t]*[-*+][ \t]+/.exec(lines[start] ?? '')?.[0]
  if (isItem && marker === undefined) return refuse(`“${text}” is not in a list of bullets.`)
  const block = isItem && !isListItem(given) ? `${marker}${given.trim()}` : given
  if (isListItem(block) && isListItem(lines[start] ?? '')) {
    return done(insertLines(lines, at === 'after-text' ? endOfItem(lines, start, last) : start, block))
  }
  return done(insertLines(lines, at === 'after-text' ? endOfBlock(lines, last) : startOfBlock(lines, start), block))
}

/** Behind what is indented below an item, which would become a part of the next one. */
function endOfItem(lines: readonly string[], start: number, last: number): number {
  const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].length ?? 0
  const own = indentOf(lines[start] ?? '')
  let end = last + 1
  while (hasText(lines[end] ?? '') && indentOf(lines[end] ?? '') > own) end += 1
  return end
}

function atHeading(text: string, words: string, edit: (lines: string[], heading: Heading) => string[]): TextEdit {
  const lines = text.split('\n')
  const wanted = plain(words)
  const found = listHeadings(lines).filter((heading) => plain(heading.words) === wanted)
  const [heading] = found
  if (heading === undefined) return refuse(`There is no heading “${words}”.`)
  if (found.length > 1) return refuse(`There are ${found.length} headings “${words}”.`)
  return done(edit(lines, heading))
}

/** Headings with number signs, outside of frontmatter and code. */
export function listHeadings(lines: readonly string[]): Heading[] {
  const fenced = markFences(lines)
  return lines.flatMap((line, index) => {
    const [, signs, words] = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? []
    if (signs === undefined || words === undefined || fenced[index] === true) return []
    return [{ line: index, level: signs.length, words: words.replace(/\s*\{#[^}]*\}\s*$|\s+#+\s*$/, '') }]
  })
}

export function markFences(lines: readonly string[]): boolean[] {
  let fence = ''
  const first = startOfFrontmatterEnd(lines)
  return lines.map((line, index) => {
    if (index < first) return true
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) {
      fence = ''
      return true
    }
    return fence !== ''
  })
}

/** The number of lines of the frontmatter. */
function startOfFrontmatterEnd(lines: readonly string[]): number {
  if (!/^---[ \t]*$/.test(lines[0] ?? '')) return 0
  return lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line)) + 1
}

/** Behind frontmatter, imports and the title of the page. */
function startOfContent(lines: readonly string[]): number {
  let line = startOfFrontmatterEnd(lines)
  for (let next = line; next < lines.length && /^\s*$|^import\s|^# /.test(lines[next] ?? ''); next += 1) {
    if (hasText(lines[next] ?? '')) line = next + 1
  }
  return line
}

export function endOfSection(
  lines: readonly string[],
  { line, level }: Heading,
  headings = listHeadings(lines),
): number {
  const next = headings.find((heading) => heading.line > line && heading.level <= level)
  return next?.line ?? lines.length
}

function endOfBlock(lines: readonly string[], from: number): number {
  const fenced = markFences(lines)
  let line = from + 1
  while (line < lines.length && (fenced[line] === true || hasText(lines[line] ?? ''))) line += 1
  return line
}

function startOfBlock(lines: readonly string[], from: number): number {
  const fenced = markFences(lines)
  let line = from
  while (line > 0 && (fenced[line - 1] === true || hasText(lines[line - 1] ?? ''))) line -= 1
  return Math.max(line, startOfFrontmatterEnd(lines))
}

function insertLines(lines: readonly string[], at: number, block: string): string[] {
  const [before, after] = [lines.slice(0, at), lines.slice(at)]
  const added = block.replace(/^\n+|\s+$/g, '').split('\n')
  if (isListItem(block) && isListItem(before.at(-1) ?? '')) return [...before, ...added, ...after]
  const start = before.slice(0, before.findLastIndex(hasText) + 1)
  const rest = after.slice(after.findIndex(hasText) === -1 ? after.length : after.findIndex(hasText))
  return [...start, ...(start.length > 0 ? [''] : []), ...added, '', ...rest]
}

function hasText(line: string): boolean {
  return /\S/.test(line)
}

function isListItem(text: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(text)
}

export function plain(words: string): string {
  return words.replaceAll(/[`*_]/g, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

function done(lines: readonly string[]): TextEdit {
  return { isOk: true, text: lines.join('\n') }
}

export function refuse(reason: string): TextEdit {
  return { isOk: false, reason }
}
