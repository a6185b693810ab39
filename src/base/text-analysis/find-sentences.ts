/** Offsets in UTF-16 code units; the end is exclusive. */
export interface Span {
  start: number
  end: number
}

/** An unclosed bracket must not swallow a page. */
const sentenceCharsMax = 1_000
/** Made for the first text that needs it, because it takes 7 ms. */
let segmenter: Intl.Segmenter | null = null
/** What may end a sentence before the end of a text. In ASCII there is nothing else, and segmenting costs much more. */
const mayEnd = /[.!?\n\r](?=[^]*\S)|[^\x00-\x7f]/ // eslint-disable-line no-control-regex -- all of ASCII
const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|nos|fig|dr|mr|mrs|ms|st|v|z\.\s?B|d\.\s?h|bzw|ca|p\.\s?ej|ej)\.\s*$/i

function segment(paragraph: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' })
  return segmenter.segment(paragraph)
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
  const segments = mayEnd.test(paragraph) ? segment(paragraph) : [{ index: 0, segment: paragraph }]
  for (const { index, segment: text } of segments) {
    end = index + text.length
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
