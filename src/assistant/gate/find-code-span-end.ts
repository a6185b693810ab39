/** Longest span to wait for; anything longer is text. */
export const codeSpanCharsMax = 1_000

const barePipe = /(?<!\\)(?:\\\\)*\|/
const backticksOrLineEnd = /`+|\n/g
/** Continues a paragraph, whatever precedes it. */
const plainLine = /^[ \t]*\p{L}/u

export interface CodeSpanStart {
  at: number
  /** Length of its opening run of backticks. */
  size: number
  /** In a table, a pipe ends the cell, so a span with a bare one is text. */
  isInTable: boolean
  /** Whether it may continue on the next line, because its first line certainly belongs to a paragraph. */
  canWrap: boolean
}

/**
 * Finds the end of a code span.
 *
 * @returns Its end; `more` if the text ends before that is known; null if the backticks are text. In doubt they are
 *   text: code would pass unchecked.
 */
export function findCodeSpanEnd(text: string, start: CodeSpanStart): number | 'more' | null {
  const { at, size, isInTable, canWrap } = start
  const limit = at + codeSpanCharsMax
  backticksOrLineEnd.lastIndex = at + size
  for (;;) {
    const mark = backticksOrLineEnd.exec(text)
    if (mark === null || mark.index >= limit) return text.length >= limit ? null : 'more'
    const end = mark.index + mark[0].length
    if (mark[0] === '\n') {
      const isPlain = canWrap && startsPlainLine(text, end, limit)
      if (isPlain !== true) return isPlain === 'more' ? 'more' : null
      backticksOrLineEnd.lastIndex = end
    } else if (end === text.length) return 'more'
    else if (mark[0].length === size) return isInTable && barePipe.test(text.slice(at, end)) ? null : end
  }
}

/** Whether a code span contains something that would end a table cell. */
export function endsTableCell(span: string): boolean {
  return span.includes('\n') || barePipe.test(span)
}

function startsPlainLine(text: string, start: number, limit: number): boolean | 'more' {
  const head = /^[ \t]*/.exec(text.slice(start, limit))?.[0] ?? ''
  const at = start + head.length
  if (at >= text.length) return at >= limit ? false : 'more'
  return plainLine.test(text.slice(start, at + 2))
}
