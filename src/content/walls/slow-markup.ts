import { parse, parseExpressionAt } from 'acorn'
import type { PageCode } from '../formats/write-rules.ts'
import { createFenceTracker, mapProse } from '../markdown/code-fence.ts'
import { replaceOutsideSpans } from '../markdown/code-spans.ts'
import { hoistLiterals } from '../markdown/hoist-literals.ts'
import { MarkdownSyntaxError } from '../markdown/markdown-syntax-error.ts'

/** Beyond these, a page of 64 KB takes more than about 0.3 seconds. Documentation stays far below. */
const rereadCharsMax = 1_000_000
/** Most lines outside code, list items and quoted lines, unless they have at least `charsMin` characters on average. */
const shortLines = [
  { what: 'lines', pattern: /^/, countMax: 4_000, charsMin: 10 },
  {
    what: 'items of lists and lines of quotes',
    pattern: /^[ \t]*(?:>|[-*+]\s|\d{1,9}[.)]\s)/,
    countMax: 1_000,
    charsMin: 64,
  },
] as const
/** The parser compares each mark of emphasis in a paragraph with those before it. The sum of their squares. */
const emphasisMax = 8_000_000
const fence = /^[ \t>]*(?:`{3}|~{3})/

export class SlowMarkupError extends MarkdownSyntaxError {}

/**
 * Refuses what would make parsing a page slow, so that no single call keeps the checks busy. Takes much less time itself.
 *
 * @throws {SlowMarkupError}
 */
export function refuseSlowMarkup(text: string, code: PageCode): void {
  refuseShortLines(text)
  refuseEmphasis(text)
  if (code === 'mdx') refuseReread(hoistLiterals(text).text)
}

function refuseShortLines(text: string): void {
  const isCode = createFenceTracker()
  const counts = [0, 0]
  let chars = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (isCode(line) && !fence.test(line)) continue
    chars += line.length + 1
    for (const [place, { what, pattern, countMax, charsMin }] of shortLines.entries()) {
      const count = (counts[place] ?? 0) + (pattern.test(line) ? 1 : 0)
      counts[place] = count
      if (count <= countMax || chars >= count * charsMin) continue
      throw new SlowMarkupError(`it has more than ${countMax} ${what} of a few characters. Split it.`, index + 1)
    }
  }
}

const item = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const delimiterRow = /^[ \t>]*\|?[ \t]*:?-[-:| \t]*$/

function refuseEmphasis(text: string): void {
  const isCode = createFenceTracker()
  let [total, marks] = [0, 0]
  // Of these, each line is a paragraph.
  let [isTable, isList] = [false, false]
  for (const [index, line] of text.split('\n').entries()) {
    const isBlank = isCode(line) || line.trim() === ''
    if (isBlank || isTable || (isList && item.test(line))) marks = 0
    isList = !isBlank && (isList || item.test(line))
    isTable = !isBlank && (isTable || delimiterRow.test(line))
    if (isBlank) continue
    const count = line.match(/[*_]/g)?.length ?? 0
    total += count * (count + 2 * marks)
    marks += count
    if (total > emphasisMax)
      throw new SlowMarkupError('its paragraphs contain too many asterisks and underscores. Split them.', index + 1)
  }
}

/** An expression, or module code at the start of a line. Escaped braces are text. */
const beginning = /\\[{}]|\{|^(?:import|export)(?=[\s{*"'])/gm

/** The parser of MDX reads an expression again at each closing brace, and module code at each empty line, until it is complete. */
function refuseReread(text: string): void {
  let [end, charsLeft] = [0, rereadCharsMax]
  mapProse(text, (prose, offset) =>
    replaceOutsideSpans(prose, beginning, ({ 0: written, index }) => {
      const start = offset + index
      if (start < end || written.startsWith('\\')) return written
      const read = written === '{' ? readExpression(text, start, charsLeft) : readModule(text, start, charsLeft)
      end = read.end
      charsLeft -= read.chars
      if (charsLeft >= 0) return written
      const reason = String.raw`its code is long with many braces or empty lines, or it never ends. Write \{ for a brace that is text, or use a fenced block.`
      throw new SlowMarkupError(reason, text.slice(0, start).split('\n').length)
    }),
  )
}

interface ReadCode {
  end: number
  /** Characters read in attempts that failed. */
  chars: number
}

const rest = /^(?:\s|\/\*[^*]*\*\/|\/\/[^\n]*(?:\n|$))*$/

function readExpression(text: string, start: number, charsMax: number): ReadCode {
  const isComplete = (code: string) => {
    if (rest.test(code)) return true
    const { end } = parseExpressionAt(code, 0, { ecmaVersion: 'latest', sourceType: 'module' })
    return rest.test(code.slice(end))
  }
  return readUntil(text, start + 1, { mark: '}', charsMax, isComplete })
}

function readModule(text: string, start: number, charsMax: number): ReadCode {
  const isComplete = (code: string) => {
    parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
    return true
  }
  return readUntil(text, start, { mark: '\n\n', charsMax, isComplete })
}

function readUntil(
  text: string,
  start: number,
  { mark, charsMax, isComplete }: { mark: string; charsMax: number; isComplete: (code: string) => boolean },
): ReadCode {
  let chars = 0
  for (let at = text.indexOf(mark, start); at !== -1 && chars <= charsMax; at = text.indexOf(mark, at + 1)) {
    try {
      if (isComplete(text.slice(start, at))) return { end: at, chars }
    } catch (error) {
      // More of it would not help; nesting too deep for the stack is no syntax error.
      const isOpen = mark === '}' || (error instanceof SyntaxError && 'pos' in error && Number(error.pos) >= at - start)
      if (!isOpen) return { end: at, chars }
    }
    chars += at - start
  }
  return { end: text.length, chars }
}

/** The parser of YAML compares each key with all others, and describes each fault. */
const yamlSignsMax = 4_000

/** Whether reading a configuration file could take long. */
export function isSlowConfig(path: string, text: string): boolean {
  return /\.ya?ml$/i.test(path) && (text.match(/[{}[\]"'&*!%]|:\s/g)?.length ?? 0) > yamlSignsMax
}
