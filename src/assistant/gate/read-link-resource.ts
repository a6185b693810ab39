/** The part of an inline link after its text: `(target "title")`. */
export interface LinkResource {
  /** As written, without angle brackets. */
  target: string
  /** With its quotes, as written; empty if there is none. */
  title: string
  /** Length, including both parentheses. */
  chars: number
}

/** Longest resource that is parsed as one; browsers accept no longer URLs either. */
const resourceCharsMax = 2_500
const openParensMax = 32
const titleClosings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')' }

/**
 * Reads the resource of a link as CommonMark does.
 *
 * @param start Position of its opening parenthesis.
 * @returns `more` if the text ends too early to tell; null if there is none, or it is too long.
 */
export function readLinkResource(text: string, start: number): LinkResource | 'more' | null {
  // Never looks further than this, so that the result does not depend on how the text is chunked.
  const source = text.slice(start, start + resourceCharsMax + 1)
  const resource = readResource(source)
  const isTooLong = resource === 'more' ? source.length > resourceCharsMax : (resource?.chars ?? 0) > resourceCharsMax
  return isTooLong ? null : resource
}

function readResource(text: string): LinkResource | 'more' | null {
  const targetAt = skipSpace(text, 1)
  const isAngled = text[targetAt] === '<'
  const targetEnd = isAngled ? findClosing(text, targetAt, '>', '<\n') : findTargetEnd(text, targetAt)
  if (typeof targetEnd !== 'number') return targetEnd
  const titleAt = skipSpace(text, targetEnd)
  const closing = titleAt === targetEnd ? undefined : titleClosings[text.charAt(titleAt)]
  const titleEnd = closing === undefined ? titleAt : findClosing(text, titleAt, closing)
  if (typeof titleEnd !== 'number') return titleEnd
  const end = skipSpace(text, titleEnd)
  if (text[end] !== ')') return end >= text.length ? 'more' : null
  const target = isAngled ? text.slice(targetAt + 1, targetEnd - 1) : text.slice(targetAt, targetEnd)
  return { target, title: text.slice(titleAt, titleEnd), chars: end + 1 }
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text[at])) at++
  return at
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t'
}

/** Position after the first unescaped closing character. */
function findClosing(text: string, start: number, closing: string, refused = ''): number | 'more' | null {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === closing) return at + 1
    if (character === '\\') at++
    else if (refused.includes(character)) return null
  }
  return 'more'
}

/** The end of a target without angle brackets, whose parentheses must be balanced. */
function findTargetEnd(text: string, start: number): number | 'more' | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (isSpace(character) || (character === ')' && depth === 0)) return depth === 0 ? at : null
    if (character === '\\') at++
    else if (character === ')') depth--
    else if (character === '(' && ++depth > openParensMax) return null
  }
  return 'more'
}
