import { createFenceTracker } from '../markdown/code-fence.ts'
import Slugger from 'github-slugger'
import { fenceCode, indentLines } from '../markdown/markdown-writing.ts'
import { readHeading } from '../markdown/markdown-blocks.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import type { SourceLibrary } from './source-library.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile } from '../trees/source-path.ts'
import type { SiteRule } from '../finding-rules.ts'

/** A line that includes another file or a part of it. */
export interface IncludeDirective {
  /** The path as written. */
  reference: string
  /** Whether the path is relative to the project's folder instead of the file. */
  isFromProject: boolean
  /** A region or the id of a section; empty for the whole file. */
  region: string
  /** Ranges of lines, see `LineRange`; empty for all lines. */
  lines: readonly LineRange[]
  /** Texts that surround the part; an empty one stands for the start or the end. */
  between?: readonly [start: string, end: string]
  /** Info string of the fence for included code; null for text that becomes part of the page. */
  fence: string | null
  /** Indentation of the directive, applied to every included line. */
  indent: string
  /** Text on the same line before and after the directive. */
  around?: readonly [before: string, after: string]
}

/** 1-based first and last line; null for an open end. */
export type LineRange = readonly [first: number | null, last: number | null]

/**
 * Parses ranges such as `1-3, 5`, with `-` or `:` between first and last line. Columns (`3.1`) are ignored.
 */
export function readLineRanges(text: string): LineRange[] {
  return text.split(/[\s,]+/).flatMap((range): LineRange[] => {
    const [match, first = '', mark, last = ''] = /^(\d*)(?:\.\d*)?([-:]?)(\d*)(?:\.\d*)?$/.exec(range) ?? []
    if (match === undefined || range === '') return []
    const start = first === '' ? null : Number(first)
    return [[start, last === '' ? (mark === '' ? start : null) : Number(last)]]
  })
}

export interface IncludeSyntax {
  /** Rewrites a page before its lines are read. */
  prepare?: (body: string, fields: Readonly<Record<string, unknown>>) => string
  /** Rewrites a line that is not a directive. */
  unescape?: (line: string) => string
  /** Whether directives in fenced code are expanded too. */
  isReadInCode?: boolean
  /** Parses a directive; null if the line is not one. */
  read: (line: string) => IncludeDirective | null
  /** Resolves a reference to a file of the tree, or null. */
  resolve: (fromFile: string, directive: IncludeDirective) => string | null
}

const depthMax = 8
const filledCharsMax = 1024 * 1024
/** A small part of a long file takes as long to find as all of it. */
const readCharsMax = 16 * filledCharsMax
const includesMax = 500

interface Expansion {
  library: SourceLibrary
  syntax: IncludeSyntax
  charsLeft: number
  /** Of the files that parts are taken from. */
  readCharsLeft: number
  includesLeft: number
}

/**
 * Replaces include directives by the text they refer to. Missing and circular includes are reported as findings and
 * become empty. Leaves directives in code alone unless the format expands them.
 */
export async function expandIncludes(
  library: SourceLibrary,
  page: { file: string; body: string; fields: Readonly<Record<string, unknown>> },
  syntax: IncludeSyntax,
): Promise<string> {
  const limits = { charsLeft: filledCharsMax, readCharsLeft: readCharsMax, includesLeft: includesMax }
  const expansion: Expansion = { library, syntax, ...limits }
  return expandText(expansion, syntax.prepare?.(page.body, page.fields) ?? page.body, [page.file])
}

/** @param stack Files being expanded, the page first. */
async function expandText(expansion: Expansion, text: string, stack: readonly string[]): Promise<string> {
  const isCode = createFenceTracker()
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const isLeft = isCode(line) && expansion.syntax.isReadInCode !== true
    const directive = isLeft ? null : expansion.syntax.read(line)
    const left = isLeft ? line : (expansion.syntax.unescape?.(line) ?? line)
    lines.push(directive === null ? left : await expandDirective(expansion, directive, stack))
  }
  return lines.join('\n')
}

async function expandDirective(
  expansion: Expansion,
  directive: IncludeDirective,
  stack: readonly string[],
): Promise<string> {
  const { library, syntax } = expansion
  const from = stack.at(-1) ?? ''
  const report = (rule: SiteRule, message: string) => {
    library.findings.add({ file: stack[0] ?? '', line: null, rule, message })
    return ''
  }
  const file = syntax.resolve(from, directive)
  if (file === null || !library.paths.has(file)) return report('snippet-missing', describeMissing(directive.reference))
  if (stack.includes(file) || stack.length > depthMax)
    return report('snippet-cycle', `The include ${directive.reference} is circular or nested too deeply. Remove it.`)
  const source = expansion.includesLeft-- > 0 ? await readText(library, file) : null
  if (source === null) return ''
  expansion.readCharsLeft -= source.length
  if (expansion.readCharsLeft < 0)
    return report(
      'page-too-large',
      'The page includes parts of files that are too long together; the rest is omitted. Put the parts into files of their own.',
    )
  const text = selectPart(isPageFile(file) ? splitFrontmatter(source).body : source, directive)
  expansion.charsLeft -= text.length
  if (expansion.charsLeft < 0)
    return report(
      'page-too-large',
      'The page becomes too long when its includes are expanded; the rest is omitted. Split it.',
    )
  const filled =
    directive.fence === null ? await expandText(expansion, text, [...stack, file]) : fenceCode(text, directive.fence)
  const [before, after] = directive.around ?? ['', '']
  return indentLines(`${before}${filled}${after}`, directive.indent)
}

function describeMissing(reference: string): string {
  if (/^https?:\/\//.test(reference))
    return `The include ${reference} is not fetched. Put a copy into the repository and include that.`
  const advice = reference.includes('../')
    ? 'Correct its path, or choose a folder that contains the file as the folder of the site.'
    : 'Correct its path.'
  return `The include ${reference} does not match any file of this site. ${advice}`
}

/** Selects a region or lines of a file, without common indentation. */
export function selectPart(
  source: string,
  { region, lines, between }: Pick<IncludeDirective, 'region' | 'lines' | 'between'>,
): string {
  const text = between === undefined ? source : cutBetween(source, between)
  const part = region === '' ? text.split('\n') : selectRegion(text.split('\n'), region)
  const selected =
    lines.length === 0 ? part : lines.flatMap(([first, last]) => part.slice((first ?? 1) - 1, last ?? part.length))
  return dedent(selected).join('\n').replace(/\n+$/, '')
}

/** A mark that does not occur selects everything up to the start or the end. */
function cutBetween(text: string, [start, end]: readonly [string, string]): string {
  const from = start === '' ? -1 : text.indexOf(start)
  const rest = from === -1 ? text : text.slice(from + start.length)
  const to = end === '' ? -1 : rest.indexOf(end)
  return to === -1 ? rest : rest.slice(0, to)
}

/** Selects the lines of a region, else the section under the heading with that id, else everything. */
function selectRegion(lines: readonly string[], name: string): string[] {
  const isMark = (line: string, kind: 'region' | 'endregion') => {
    const mark = readMark(line)
    return mark?.kind === kind && (mark.name === name || (kind === 'endregion' && mark.name === ''))
  }
  const start = lines.findIndex((line) => isMark(line, 'region'))
  if (start !== -1) {
    const end = lines.findIndex((line, index) => index > start && isMark(line, 'endregion'))
    const own = lines.slice(start + 1, end === -1 ? lines.length : end)
    return own.filter((line) => !anchorMark.test(line))
  }
  return selectSection(lines, name)
}

/** A region of mdBook. Those inside another one are not part of it. */
const anchorMark = /\bANCHOR(_END)?:[ \t]*([\w-]+)/

/** Parses `#region name` as used by editors, `--8<-- [start:name]` and `ANCHOR: name`. */
function readMark(line: string): { kind: 'region' | 'endregion'; name: string } | null {
  const [isAnchor, isEnd, anchor = ''] = anchorMark.exec(line) ?? []
  if (isAnchor !== undefined) return { kind: isEnd === undefined ? 'region' : 'endregion', name: anchor }
  const [, end, named = ''] =
    /-8<-+[ \t]*\[[ \t]*(?:start|(end))[ \t]*(?::[ \t]*([\w.-]{1,100})[ \t]*)?\]/.exec(line) ?? []
  if (named !== '' || end !== undefined) return { kind: end === undefined ? 'region' : 'endregion', name: named }
  const [, kind, name = ''] = /#?\b(region|endregion)\b[ \t]*([\w.-]*)/.exec(line) ?? []
  return kind === undefined ? null : { kind: kind === 'region' ? 'region' : 'endregion', name }
}

function selectSection(lines: readonly string[], id: string): string[] {
  const slugger = new Slugger()
  const isCode = createFenceTracker()
  let depth = 0
  let start = -1
  for (const [index, line] of lines.entries()) {
    const marks = isCode(line) ? undefined : /^(#{1,6})[ \t]/.exec(line)?.[1]
    if (marks === undefined) continue
    if (start !== -1 && marks.length <= depth) return lines.slice(start, index)
    const heading = readHeading(line)
    if (start === -1 && (heading.id ?? slugger.slug(heading.text)) === id) {
      start = index
      depth = marks.length
    }
  }
  return lines.slice(Math.max(0, start))
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const least = indents.reduce((a, b) => Math.min(a, b), Infinity)
  return Number.isFinite(least) ? lines.map((line) => line.slice(least)) : [...lines]
}
