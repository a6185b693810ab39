/** The part of an inline link after its text: `(target "title")`. */
export interface LinkResource {
  /** As written, without angle brackets. */
  target: string
  /** With its quotes, as written; empty where there is none. */
  title: string
  /** Where it ends in the text, after the closing parenthesis. */
  end: number
}

/** Longest resource that is read as one; browsers take no longer address either. */
const resourceCharsMax = 2_500

const openParensMax = 32

/**
 * Reads the resource of a link as CommonMark does.
 *
 * @param start Of its opening parenthesis.
 * @returns `more` when the text ends before it can be told; null when it is none, or too long.
 */
export function readLinkResource(text: string, start: number): LinkResource | 'more' | null {
  const resource = readResource(text, start)
  // By what was read alone, so that a text in pieces is read like a whole one.
  if (resource === 'more') return text.length - start > resourceCharsMax ? null : 'more'
  return resource !== null && resource.end - start > resourceCharsMax ? null : resource
}

function readResource(text: string, start: number): LinkResource | 'more' | null {
  const targetStart = skipSpace(text, start + 1)
  const target = text[targetStart] === '<' ? readAngled(text, targetStart) : readPlain(text, targetStart)
  if (target === null || target === 'more') return target
  const titleStart = skipSpace(text, target.end)
  const opening = text[titleStart]
  if (opening === ')') return { target: target.value, title: '', end: titleStart + 1 }
  if (opening === undefined) return 'more'
  if (titleStart === target.end || !'"\'('.includes(opening)) return null
  const titleEnd = findTitleEnd(text, titleStart + 1, opening === '(' ? ')' : opening)
  if (titleEnd === 'more') return 'more'
  const end = skipSpace(text, titleEnd)
  if (text[end] === undefined) return 'more'
  return text[end] === ')' ? { target: target.value, title: text.slice(titleStart, titleEnd), end: end + 1 } : null
}

function skipSpace(text: string, start: number): number {
  let position = start
  while (position < text.length && ' \t\n'.includes(text[position] ?? '')) position++
  return position
}

function readAngled(text: string, start: number): { value: string; end: number } | 'more' | null {
  for (let position = start + 1; position < text.length; position++) {
    const character = text[position]
    if (character === '\\') position++
    else if (character === '>') return { value: text.slice(start + 1, position), end: position + 1 }
    else if (character === '<' || character === '\n') return null
  }
  return 'more'
}

function readPlain(text: string, start: number): { value: string; end: number } | 'more' | null {
  let depth = 0
  for (let position = start; position < text.length; position++) {
    const character = text[position] ?? ''
    if (character === '\\') position++
    else if (character === '(') depth++
    else if (' \t\n'.includes(character) || (character === ')' && depth === 0)) {
      return depth === 0 ? { value: text.slice(start, position), end: position } : null
    } else if (character === ')') depth--
    if (depth > openParensMax) return null
  }
  return 'more'
}

function findTitleEnd(text: string, start: number, closing: string): number | 'more' {
  for (let position = start; position < text.length; position++) {
    if (text[position] === '\\') position++
    else if (text[position] === closing) return position + 1
  }
  return 'more'
}
