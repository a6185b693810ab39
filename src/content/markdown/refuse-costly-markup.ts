import { createFenceTracker } from './code-fence.ts'
import { MarkdownSyntaxError } from './markdown-syntax-error.ts'

/**
 * Beyond these limits, parsing takes quadratic time or overflows the stack; ordinary pages stay far below. Measured on
 * one core: a page at a limit takes a few seconds at most, one at ten times the limit minutes.
 */
const linesMax = 50_000
const markersPerParagraphMax = 5000
const cellsPerLineMax = 500
const nestingMax = 60
const indentMax = 200
const underlinesMax = 1000
const codeLinesMax = 1000

interface Costs {
  markers: number
  underlines: number
  /** Open braces outside code; `codeLines` counts the lines since the first of them. */
  braces: number
  codeLines: number
}

/**
 * Rejects text that would keep a worker busy for minutes. Must run before the parser, which cannot be interrupted.
 *
 * @throws {MarkdownSyntaxError} with the line that exceeds a limit.
 */
export function refuseCostlyMarkup(source: string, syntax: 'markdown' | 'mdx'): void {
  const costs: Costs = { markers: 0, underlines: 0, braces: 0, codeLines: 0 }
  const lines = source.split('\n')
  if (lines.length > linesMax) {
    throw new MarkdownSyntaxError(`The page has more than ${linesMax} lines. Split it.`, linesMax)
  }
  const isFenced = createFenceTracker()
  for (const [index, line] of lines.entries()) {
    if (isFenced(line)) continue
    const problem = checkLine(line, costs) ?? (syntax === 'mdx' ? checkCode(line, costs) : null)
    if (problem !== null) throw new MarkdownSyntaxError(problem, index + 1)
  }
}

function checkLine(line: string, costs: Costs): string | null {
  if (line.trim() === '') {
    costs.markers = 0
    return null
  }
  costs.markers += countOf(line, /[*_[\]`<{]/g)
  if (costs.markers > markersPerParagraphMax) {
    return 'The paragraph contains too many Markdown markers. Put blank lines between its parts.'
  }
  if (line.length > cellsPerLineMax && countOf(line, /\|/g) > cellsPerLineMax) {
    return `The line has more than ${cellsPerLineMax} table cells. Split the table.`
  }
  if (/^[ \t>]*(?:=+|-+)[ \t]*$/.test(line) && ++costs.underlines > underlinesMax) {
    return `The page underlines more than ${underlinesMax} lines. Write headings with # instead.`
  }
  return checkNesting(line)
}

function checkNesting(line: string): string | null {
  const prefix = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))+/.exec(line)?.[0] ?? ''
  const openings = countOf(prefix, /[>*+)-]|\d\./g)
  if (openings <= nestingMax && (openings === 0 || prefix.length <= indentMax)) return null
  return `The line is nested more than ${nestingMax} levels deep. Flatten its lists and quotes.`
}

function checkCode(line: string, costs: Costs): string | null {
  const bare = line.replace(/`[^`]*`|\\[{}]/g, '')
  costs.braces = Math.max(0, costs.braces + countOf(bare, /\{/g) - countOf(bare, /\}/g))
  if (costs.braces === 0) costs.codeLines = 0
  else if (line.trim() !== '') costs.codeLines++
  if (costs.codeLines <= codeLinesMax) return null
  return `A brace is left open for more than ${codeLinesMax} lines. Close it, or move the code to a snippet.`
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  pattern.lastIndex = 0
  while (pattern.exec(text) !== null) count++
  return count
}
