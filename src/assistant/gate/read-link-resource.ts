/** The part of an inline link after its text: `(target "title")`. */
export interface LinkResource {
  /** As written, without angle brackets. */
  target: string
  /** With its quotes, as written; empty where there is none. */
  title: string
  /** Length, both parentheses included. */
  chars: number
}

/** Longest resource that is read as one; browsers accept no longer address either. */
const resourceCharsMax = 2_500
const openParensMax = 32
const angledTarget = /<((?:[^<>\n\\]|\\[\s\S])*)(>?)/y
const linkTitle = /"(?:[^"\\]|\\[\s\S])*("?)|'(?:[^'\\]|\\[\s\S])*('?)|\((?:[^)\\]|\\[\s\S])*(\)?)/y

/**
 * Reads the resource of a link as CommonMark does.
 *
 * @param start Of its opening parenthesis.
 * @returns `more` when the text ends before it can be told; null when there is none, or it is too long.
 */
export function readLinkResource(text: string, start: number): LinkResource | 'more' | null {
  // No more than this is ever looked at, so that a text in pieces is read like a whole one.
  const source = text.slice(start, start + resourceCharsMax + 1)
  const resource = readResource(source)
  const isTooLong = resource === 'more' ? source.length > resourceCharsMax : (resource?.chars ?? 0) > resourceCharsMax
  return isTooLong ? null : resource
}

function readResource(text: string): LinkResource | 'more' | null {
  const start = skipSpace(text, 1)
  const target = text[start] === '<' ? readAngled(text, start) : readPlain(text, start)
  if (target === null || target === 'more') return target
  const titleStart = skipSpace(text, target.end)
  const title = titleStart === target.end ? '' : readTitle(text, titleStart)
  if (title === null) return 'more'
  const end = skipSpace(text, titleStart + title.length)
  if (text[end] === undefined) return 'more'
  return text[end] === ')' ? { target: target.value, title, chars: end + 1 } : null
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text[at])) at++
  return at
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t'
}

interface Target {
  value: string
  end: number
}

function readAngled(text: string, start: number): Target | 'more' | null {
  angledTarget.lastIndex = start
  const [all = '', value = '', closing] = angledTarget.exec(text) ?? []
  const end = start + all.length
  if (closing === '>') return { value, end }
  return text[end] === undefined || text[end] === '\\' ? 'more' : null
}

function readPlain(text: string, start: number): Target | 'more' | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') at++
    else if (isSpace(character) || (character === ')' && depth === 0)) {
      return depth === 0 ? { value: text.slice(start, at), end: at } : null
    } else if (character === ')') depth--
    else if (character === '(' && ++depth > openParensMax) return null
  }
  return 'more'
}

/** Empty where none begins; null when more text is needed. */
function readTitle(text: string, start: number): string | null {
  linkTitle.lastIndex = start
  const found = linkTitle.exec(text)
  if (found === null) return ''
  const [title, ...closings] = found
  return closings.some((closing) => closing !== undefined && closing !== '') ? title : null
}
