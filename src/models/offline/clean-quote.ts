import { isLocalPath } from './retrieved-passage.ts'

const codeSpan = /(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g
const image = /!\[[^\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])/g
const unwantedTag =
  /<\/?(?:a|audio|embed|form|iframe|img|input|link|object|picture|script|source|style|svg|video)\b[^<>]*>/gi
/** One that is not closed here might be by what comes after it. */
const openTag = /<(?=[a-z/!?])/gi
const inlineLink =
  /(?<!\\)\[((?:[^[\]\\]|\\.)*)\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g
const referenceLink = /(?<!\\)\[((?:[^[\]\\]|\\.)+)\]\[[^\]]*\]/g
const webAddress = /<((?:[a-z][a-z0-9+.-]*:|www\.)[^\s<>`]*)>|(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.)[^\s<>()[\]`"']+/gi
const definition = /^[ \t>]*\[[^\]\n]+\]:[ \t]*\S.*$/gm
const fenceLine = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/

/**
 * A part of a passage as it may stand in an answer: word for word, without images, and with no link out of the site.
 * Links in it are kept when they are root-relative; of others the words stay, and bare web addresses become code, which
 * no front end turns into a link. Fenced code stays as it is; a fence that is not closed is closed.
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

/** Links may stand in each other, as a picture in a link does, so each pass may uncover others; what is left over is broken up. */
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
