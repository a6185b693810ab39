import { isLocalPath } from './retrieved-passage.ts'

const codeSpan = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g
const image = /!\[[^\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])/g
const unwantedTag =
  /<\/?(?:a|audio|embed|form|iframe|img|input|link|object|picture|script|source|style|svg|video)\b[^<>]*>/gi
/** An unclosed one might be closed by what follows. */
const openTag = /<(?=[a-z/!?])/gi
const inlineLink =
  /(?<!\\)\[((?:[^[\]\\]|\\.)*)\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g
const referenceLink = /(?<!\\)\[((?:[^[\]\\]|\\.)+)\]\[[^\]]*\]/g
const webAddress = /<((?:[a-z][a-z0-9+.-]*:|www\.)[^\s<>`]*)>|(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.)[^\s<>()[\]`"']+/gi
const definition = /^[ \t>]*\[[^\]\n]+\]:[ \t]*\S.*$/gm
const fenceLine = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/

/**
 * Makes a part of a passage safe for an answer: verbatim, without images and external links. Root-relative links are
 * kept, other links become their text, and bare URLs become code, which no front end turns into a link. Fenced code is
 * kept; an open fence is closed.
 */
export function cleanQuote(markdown: string): string {
  const lines = markdown.split('\n')
  const cleaned: string[] = []
  let prose: string[] = []
  let marker: string | null = null
  const flush = () => {
    if (prose.length > 0) cleaned.push(cleanProse(prose.join('\n')))
    prose = []
  }
  for (const line of lines) {
    const found = fenceLine.exec(line)?.[1]
    if (marker === null && found === undefined) {
      prose.push(line)
      continue
    }
    flush()
    cleaned.push(line)
    if (marker === null) marker = found ?? null
    else if (closes(line, marker)) marker = null
  }
  flush()
  if (marker !== null) cleaned.push(marker)
  return cleaned.join('\n').trim()
}

function closes(line: string, marker: string): boolean {
  const bare = line.trim()
  return bare.length >= marker.length && bare === marker.charAt(0).repeat(bare.length)
}

function cleanProse(text: string): string {
  const codes: string[] = []
  const hold = (code: string) => `\u{e000}${codes.push(code) - 1}\u{e001}`
  let prose = text.replace(/[\u{e000}\u{e001}]/gu, '').replace(definition, '')
  prose = prose.replace(codeSpan, hold).replaceAll('`', '\\`')
  prose = cleanLinks(prose.replace(unwantedTag, ''))
  prose = prose.replace(webAddress, (address, inAngles?: string) => hold(`\`${inAngles ?? address}\``))
  return prose
    .replace(openTag, '\\<')
    .replace(/\u{e000}(\d+)\u{e001}/gu, (_, index: string) => codes[Number(index)] ?? '')
}

/** Links may be nested, such as an image in a link, so each pass may uncover others; what remains is broken up. */
function cleanLinks(text: string): string {
  let cleaned = text
  for (let pass = 0; pass < 4; pass++) {
    const before = cleaned
    cleaned = cleaned.replace(image, '').replace(referenceLink, '$1').replace(inlineLink, keepLocalLink)
    if (cleaned === before) break
  }
  return cleaned.replace(/\](?=\((?!\/(?![/\\])))/g, '] ').replace(/!(?=\[)/g, '')
}

function keepLocalLink(link: string, words: string, target: string): string {
  if (words.trim() === '') return ''
  return isLocalPath(target) ? link : words
}
