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

/** Properties whose values are never read by people. */
const silentProperty =
  /^(?:class(?:name)?|style|d|points|view-?box|sizes|srcset|rel|allow|id|key|on[A-Z]\w*|sx|css|transform|src|href|icon|alt)$/i
const propertyBefore = /(?:([\w-]+)["']?\s*[=:]|[[,{?:])\s*\{?\s*$/
const twoWords = /[\p{L}\p{N}]\S*\s+\S*\p{L}/u

interface Tag {
  /** Null if it is not a tag. */
  name: string | null
  /** Whether content follows. */
  opens: boolean
  end: number
  /** Text in its properties. */
  texts: string[]
}

/** Reads the tag at a `<`. */
function readTag(text: string, start: number): Tag {
  tagName.lastIndex = start
  const [written = '<', slash = '', name = ''] = tagName.exec(text) ?? []
  const texts: string[] = []
  const end = walk(text, start + written.length, texts, '>')
  const isTag = end !== null
  return {
    name: isTag ? name : null,
    opens: slash === '' && isTag && text[end - 2] !== '/',
    end: end ?? text.length,
    // What HTML elements show on hover is not part of the text.
    texts: /^[a-z]/.test(name) ? [] : texts,
  }
}

const tagName = /<(\/?)([A-Za-z][\w.:-]{0,100})?/y

/** Reads the expression at a `{`. */
function readBraces(text: string, start: number): { end: number; texts: string[]; isClosed: boolean } {
  const texts: string[] = []
  const end = walk(text, start + 1, texts, '}')
  return { end: end ?? text.length, texts, isClosed: end !== null }
}

/** Longer tags and expressions are text with a stray mark. */
const charsMax = 500_000
const mark = /["'`{}<>]|\/\*|\/\/(?=[^\n]*\n)/g

/** @returns The position after the closing mark; null if there is none. */
function walk(text: string, start: number, texts: string[], closing: '>' | '}'): number | null {
  let depth = 0
  let at = start
  const limit = Math.min(text.length, start + charsMax)
  for (;;) {
    mark.lastIndex = at
    const found = mark.exec(text)
    if (found === null || found.index >= limit) return null
    const [sign] = found
    at = found.index + sign.length
    if (sign === closing && depth === 0) return at
    if (sign === '{') depth++
    else if (sign === '}') depth--
    else if (sign === '/*' && (closing === '}' || depth > 0)) at = after(text, '*/', at)
    else if (/["'`]/.test(sign)) at = readQuoted(text, at, texts)
    if (depth < 0) return null
  }
}

function after(text: string, sign: string, at: number): number {
  const end = text.indexOf(sign, at)
  return end === -1 ? text.length : end + sign.length
}

const quoted = { '"': /(?:[^"\\]|\\[^])*"/y, "'": /(?:[^'\\\n]|\\[^])*'/y, '`': /(?:[^`\\]|\\[^])*`/y }

/** @param at After the quote. */
function readQuoted(text: string, at: number, texts: string[]): number {
  const sign = text[at - 1]
  const pattern = sign === '"' ? quoted['"'] : sign === "'" ? quoted["'"] : quoted['`']
  pattern.lastIndex = at
  const [written] = pattern.exec(text) ?? []
  // An apostrophe.
  if (written === undefined) return at
  const property = propertyBefore.exec(text.slice(Math.max(0, at - 60), at - 1))
  const words = written.slice(0, -1)
  const isText = property !== null && !silentProperty.test(property[1] ?? '') && twoWords.test(words)
  if (isText) texts.push(words.replace(/\\n/g, '\n').replace(/\$\{[^{}]*\}/g, ' '))
  return at + written.length
}
