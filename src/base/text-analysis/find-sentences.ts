/** Offsets in UTF-16 code units; the end is exclusive. */
export interface Span {
  start: number
  end: number
}

/** An unclosed bracket must not swallow a page. */
const sentenceCharsMax = 1_000
/** Made for the first text that needs it, because it takes 7 ms. */
let segmenter: Intl.Segmenter | null = null
// eslint-disable-next-line no-control-regex -- all of ASCII
const isAscii = /^[\x00-\x7f]*$/
const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|nos|fig|dr|mr|mrs|ms|st|v|z\.\s?B|d\.\s?h|bzw|ca|p\.\s?ej|ej)\.\s*$/i

/** Where segments end, in order. A segment is a sentence, or a part of one after an abbreviation or in brackets. */
function listEnds(paragraph: string): number[] {
  if (isAscii.test(paragraph)) return listAsciiEnds(paragraph)
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  return Array.from(segmenter.segment(paragraph), ({ index, segment }) => index + segment.length)
}

/** A mark with the brackets, quotes and space after it, or a line end. */
const mayEnd = /[.!?][()[\]{}"']*[ \t\v\f]*(?:\r\n|[\r\n])?|\r\n|[\r\n]/g
const goesOn = /[-,:;.!?]/
/** A small letter before the next sentence could end. */
const goesOnSmall = /[^A-Za-z\r\n.!?]*[a-z]/y

/**
 * As the segmenter does for text in ASCII, in a tenth of the time.
 *
 * @see https://www.unicode.org/reports/tr29/#Sentence_Boundary_Rules
 */
export function listAsciiEnds(text: string): number[] {
  const ends: number[] = []
  for (const { 0: found, index } of text.matchAll(mayEnd)) {
    const end = index + found.length
    if (/[\r\n]$/.test(found) || isEnd(text, found, end)) ends.push(end)
  }
  if (text.length > (ends.at(-1) ?? 0)) ends.push(text.length)
  return ends
}

/** @param found From the mark to `end`. */
function isEnd(text: string, found: string, end: number): boolean {
  const next = text.charAt(end)
  if (goesOn.test(next)) return false
  if (!found.startsWith('.')) return true
  if (found === '.' && /\d/.test(next)) return false
  if (found === '.' && /[A-Z]/.test(next) && /[A-Za-z]/.test(text.charAt(end - 2))) return false
  goesOnSmall.lastIndex = end
  return !goesOnSmall.test(text)
}

/**
 * Sentences of a paragraph, without breaking code spans, links, brackets or emphasis apart. Without the space around
 * them; none is empty.
 */
export function findSentences(paragraph: string): Span[] {
  const sentences: Span[] = []
  let start = 0
  let end = 0
  const flush = () => {
    const sentence = trimSpan(paragraph, { start, end })
    if (sentence.start < sentence.end) sentences.push(sentence)
    start = end
  }
  for (const segmentEnd of listEnds(paragraph)) {
    end = segmentEnd
    const current = paragraph.slice(start, end)
    const isShort = current.length < sentenceCharsMax
    if (isShort && (abbreviation.test(current.slice(-12)) || !isBalanced(current))) continue
    flush()
  }
  flush()
  return sentences
}

export function trimSpan(text: string, { start, end }: Span): Span {
  const written = text.slice(start, end)
  const from = end - written.trimStart().length
  return { start: from, end: Math.max(from, start + written.trimEnd().length) }
}

function isBalanced(text: string): boolean {
  if (!/[`*[(]/.test(text)) return true
  if (countOf(text, /`/g) % 2 !== 0) return false
  const prose = text.replace(/`[^`]*`/g, '')
  const areEmphasesClosed = countOf(prose, /\*\*/g) % 2 === 0
  return (
    areEmphasesClosed &&
    countOf(prose, /\[/g) <= countOf(prose, /\]/g) &&
    countOf(prose, /\(/g) <= countOf(prose, /\)/g)
  )
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
