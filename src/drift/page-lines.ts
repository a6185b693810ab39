import type { MentionPlace } from './mention.ts'

/** A line of a page with what is known of its surroundings. */
export interface PageLine {
  text: string
  line: number
  place: Extract<MentionPlace, 'heading' | 'table' | 'fence' | 'prose' | 'log' | 'property'>
  /** Language of the fence; null outside of one. */
  language: string | null
  /** Number of the fence; 0 outside of one. */
  fence: number
  /** The nearest heading. */
  heading: string
  /** Cells of the head of a table. */
  head: readonly string[] | null
}

/** A line, its heading or its admonition describes the past on purpose. */
const past =
  /\b(?:(?:was|were|has been|have been|had been|been) (?:renamed|removed|replaced|dropped|deleted|moved)|no longer|formerly|previously (?:known|called|named)|renamed (?:from|to)|versionchanged|versionremoved|deprecationwarning)\b|:::? *(?:versionchanged|versionremoved)/i
const pastHeading =
  /\b(?:migrat\w+|upgrad\w+|breaking changes?|change ?log|release notes|what.?s new|deprecat\w+|removed|history of changes)\b/i
const logLine =
  /^\W{0,3}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)|^\W{0,3}(?:DEBUG|INFO|TRACE|WARN(?:ING)?|ERROR)\b|\b(?:DEBUG|INFO|TRACE|WARN)\s*[[:]/
const fenceMark = /^[ \t>]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)/

interface Heading {
  level: number
  text: string
  isPast: boolean
}

/** The lines of a page that speak of the present, without frontmatter and comments. Pure; linear. */
export function readPageLines(text: string): PageLine[] {
  const lines: PageLine[] = []
  const headings: Heading[] = []
  let [fence, fences, language, head]: [string, number, string, string[] | null] = ['', 0, '', null]
  let isComment = false
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const mark = fenceMark.exec(line)
    if (mark !== null && (fence === '' || line.trim().startsWith(fence))) {
      if (fence === '') {
        fences++
        language = (mark[2] ?? '').toLowerCase()
      }
      fence = fence === '' ? (mark[1] ?? '') : ''
      continue
    }
    if (fence === '' && /<!--|\{\/\*/.test(line)) isComment = !/-->|\*\/\}/.test(line)
    else if (isComment) isComment = !/-->|\*\/\}/.test(line)
    else {
      head = readTableHead(line, head)
      if (fence === '') trackHeading(line, headings)
      if (past.test(line) || headings.some(({ isPast }) => isPast)) continue
      lines.push({
        text: line.slice(0, 4_000),
        line: index + 1,
        place: fence === '' ? placeOf(line) : logLine.test(line) ? 'log' : 'fence',
        language: fence === '' ? null : language,
        fence: fence === '' ? 0 : fences,
        heading: headings.at(-1)?.text ?? '',
        head: fence === '' && line.trimStart().startsWith('|') ? head : null,
      })
    }
  }
  return lines
}

/** Headings below the level of a new one no longer apply. The title of a page says what the page is. */
function trackHeading(line: string, headings: Heading[]): void {
  const [, marks, text = ''] = /^(#{1,6})[ \t]+(.*)$/.exec(line) ?? []
  if (marks === undefined) return
  while ((headings.at(-1)?.level ?? 0) >= marks.length) headings.pop()
  headings.push({ level: marks.length, text, isPast: pastHeading.test(text) })
}

function placeOf(line: string): PageLine['place'] {
  if (/^#{1,6}[ \t]/.test(line)) return 'heading'
  if (/^[ \t]*\|/.test(line)) return 'table'
  return /^[ \t]*(?:<\w|["']?[\w-]+["']?:[ \t]*[{'"]|(?:name|path|prop|key|type|description):)/.test(line)
    ? 'property'
    : 'prose'
}

function readTableHead(line: string, head: string[] | null): string[] | null {
  if (!line.trimStart().startsWith('|')) return null
  return head ?? splitCells(line)
}

export function splitCells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
