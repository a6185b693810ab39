export interface CodeSpanPlace {
  text: string
  /** Of its first backtick. */
  start: number
  /** Length of its opening run of backticks. */
  size: number
  /** Where cells end at pipes, a span that holds one is none. */
  isInTable: boolean
  /** Whether it may go on in the next line: the line that it begins in is certainly part of a paragraph. */
  canWrap: boolean
}

/** Longest span that is waited for; what is longer is read as text. */
export const codeSpanCharsMax = 1_000

const barePipe = /(?<!\\)(?:\\\\)*\|/
/** A line that goes on a paragraph, whatever came before in it. */
const plainLine = /^[ \t]*\p{L}/u

/**
 * Finds the end of a code span.
 *
 * @returns Where it ends; `more` when the text ends before it can be told; null when the backticks are text. When in
 *   doubt they are: taken for code, they would let everything in them out.
 */
export function findCodeSpanEnd({ text, start, size, isInTable, canWrap }: CodeSpanPlace): number | 'more' | null {
  const limit = start + codeSpanCharsMax
  let position = start + size
  while (position < Math.min(text.length, limit)) {
    const character = text[position]
    if (character === '\n') {
      const next = canWrap ? startsPlainLine(text, position + 1, limit) : false
      if (next !== true) return next === 'more' ? 'more' : null
    }
    if (character !== '`') {
      position++
      continue
    }
    const runStart = position
    while (text[position] === '`') position++
    if (position === text.length) return 'more'
    if (position - runStart !== size) continue
    return isInTable && barePipe.test(text.slice(start, position)) ? null : position
  }
  return text.length >= limit ? null : 'more'
}

/** Whether a code span holds something that ends a cell, were it in a table. */
export function holdsCellEnd(span: string): boolean {
  return span.includes('\n') || barePipe.test(span)
}

function startsPlainLine(text: string, start: number, limit: number): boolean | 'more' {
  const head = /^[ \t]*/.exec(text.slice(start, limit))?.[0] ?? ''
  if (start + head.length >= text.length) return start + head.length >= limit ? false : 'more'
  return plainLine.test(text.slice(start, start + head.length + 2))
}
