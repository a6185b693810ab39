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
export function readTag(text: string, start: number): Tag {
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
export function readBraces(text: string, start: number): { end: number; texts: string[]; isClosed: boolean } {
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
