import { readBraces, readTag } from './scan-jsx.ts'

/** Elements whose content is not text. */
const silentElements = /^(?:script|style|svg|template|noscript|head|math|canvas)$/i

/** Content for people who see the page, such as notes on its looks. */
const notForReaders = /^<Visibility\s[^>]*for=["']humans["']/

const special = /<!--|\{\/\*|`+|<(?=\/?[A-Za-z>])|\{|\]\(|\]\[|&#?\w{1,10};/g

/** Work that may go into constructs that turn out not to end, so that many of them still take linear time. */
const vainCharsMax = 1024 * 1024
const codeSpanCharsMax = 5000

interface Scan {
  text: string
  syntax: 'markdown' | 'mdx'
  vainCharsLeft: number
}

/** A construct that is left out, except for the text in its properties. */
interface Skipped {
  end: number
  texts: readonly string[]
}

/** Extracts the text between tags and in properties; drops comments, expressions, addresses and references. Pure. */
export function scanMarkup(text: string, syntax: 'markdown' | 'mdx'): string {
  const scan: Scan = { text, syntax, vainCharsLeft: vainCharsMax }
  const parts: string[] = []
  let start = 0
  special.lastIndex = 0
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const skipped = skip(scan, match[0], match.index)
    if (skipped === null) continue
    parts.push(text.slice(start, match.index), ...skipped.texts)
    start = skipped.end
    special.lastIndex = start
  }
  parts.push(text.slice(start))
  // Words stay whole around the tags inside them.
  return parts.join('')
}

function skip(scan: Scan, mark: string, start: number): Skipped | null {
  const { text } = scan
  if (mark === '<!--') return skipPast(scan, '-->', start)
  if (mark === '{/*') return skipPast(scan, '*/}', start)
  if (mark.startsWith('`')) return readCodeSpan(text, mark, start)
  if (mark === '<') return skipTag(scan, start)
  if (mark === '{')
    return scan.syntax === 'mdx' ? skipBraces(scan, start) : skipNear(/\{[{%#:.][^}\n]{0,500}\}+/y, text, start)
  if (mark === '](') return skipNear(/\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)/y, text, start)
  if (mark === '][') return skipNear(/\]\[[^\][\n]{0,200}\]/y, text, start)
  return { end: start + mark.length, texts: [' '] }
}

function skipPast({ text }: Scan, mark: string, start: number): Skipped {
  const end = text.indexOf(mark, start)
  return { end: end === -1 ? text.length : end + mark.length, texts: [' '] }
}

function skipNear(pattern: RegExp, text: string, start: number): Skipped | null {
  pattern.lastIndex = start
  const [written] = pattern.exec(text) ?? []
  return written === undefined ? null : { end: start + written.length, texts: [] }
}

/** Code is taken as it is. */
function readCodeSpan(text: string, marks: string, start: number): Skipped {
  const inner = start + marks.length
  const near = text.slice(inner, inner + codeSpanCharsMax)
  const length = near.search(new RegExp(`(?<!\`)${marks}(?!\`)`))
  return length === -1
    ? { end: inner, texts: [] }
    : { end: inner + length + marks.length, texts: [` ${near.slice(0, length)} `] }
}

function skipTag(scan: Scan, start: number): Skipped | null {
  if (scan.vainCharsLeft <= 0) return null
  const tag = readTag(scan.text, start)
  if (tag.name === null) {
    scan.vainCharsLeft -= tag.end - start
    return null
  }
  const isSilent = silentElements.test(tag.name) || notForReaders.test(scan.text.slice(start, tag.end))
  if (tag.opens && isSilent) return skipPast(scan, `</${tag.name}`, tag.end)
  return { end: tag.end, texts: tag.texts.map((words) => ` ${words} `) }
}

function skipBraces(scan: Scan, start: number): Skipped | null {
  if (scan.vainCharsLeft <= 0) return null
  const { end, texts, isClosed } = readBraces(scan.text, start)
  if (!isClosed) scan.vainCharsLeft -= end - start
  return isClosed ? { end, texts: texts.map((words) => ` ${words} `) } : null
}
