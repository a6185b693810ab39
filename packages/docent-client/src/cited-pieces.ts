import type { AnswerText } from './answer-texts.ts'
import type { Citation } from './generated/wire-types.ts'

/** A stretch of a text with the citations of the sentence that it belongs to; none between cited sentences. */
export interface CitedPiece {
  text: string
  citations: Citation[]
}

/** Markers of sources after a sentence, such as ` [1][2]`. */
const markers = /(?: ?\[\d{1,4}\])+/y
/** Longest run of markers looked for at the end of a sentence. */
const markerCharsMax = 64
const trailingMarkers = /(?: ?\[\d{1,4}\])+$/

/**
 * Splits a text at its cited sentences. Joined, the pieces are the text. For plain text; use `linkCitations` where the
 * Markdown is rendered, because blocks may span pieces.
 *
 * @param citations Spans outside of the text, as while it is still arriving, are cut to it.
 */
export function splitByCitations({ text, citations }: AnswerText): CitedPiece[] {
  const spans = citations.map((citation) => ({ citation, ...cutSpan(citation, text) }))
  const cuts = new Set([0, text.length, ...spans.flatMap(({ start, end }) => [start, end])])
  const places = [...cuts].sort((a, b) => a - b)
  return places.slice(0, -1).map((from, index) => ({
    text: text.slice(from, places[index + 1]),
    citations: spans.filter(({ start, end }) => start <= from && from < end).map(({ citation }) => citation),
  }))
}

function cutSpan({ answer }: Citation, { length }: string): { start: number; end: number } {
  const start = Math.min(answer.start, length)
  return { start, end: Math.max(start, Math.min(answer.end, length)) }
}

/**
 * Turns the marker after each cited sentence into a Markdown link to `#docent-citation-N`, where N counts the citations
 * of the text from 0. Works with every Markdown renderer: show such links as you like, see `readCitationLink`.
 */
export function linkCitations({ text, citations }: AnswerText): string {
  const linked: string[] = []
  let from = 0
  for (const [index, { number, answer }] of [...citations.entries()].sort(byEnd)) {
    const marker = findMarker(text, answer.end)
    if (marker === null) continue
    linked.push(text.slice(from, Math.max(from, marker.start)), ` [${number}](${linkPrefix}${index})`)
    from = Math.max(from, marker.end)
  }
  return linked.join('') + text.slice(from)
}

function byEnd([, one]: [number, Citation], [, other]: [number, Citation]): number {
  return one.answer.end - other.answer.end
}

/**
 * Where the marker of a sentence stands: after it, or at its end. Without a marker, the end of the sentence, except within
 * a code block, where a link would be shown as it is written.
 */
function findMarker(text: string, end: number): { start: number; end: number } | null {
  const start = end - (trailingMarkers.exec(text.slice(Math.max(0, end - markerCharsMax), end))?.[0].length ?? 0)
  markers.lastIndex = start
  const [marker] = markers.exec(text) ?? []
  if (marker !== undefined) return { start, end: start + marker.length }
  return end > text.length || isInCode(text.slice(0, end)) ? null : { start: end, end }
}

/** Whether a fenced block is open at the end of the text. */
function isInCode(text: string): boolean {
  return text.split('\n').filter((line) => /^ {0,3}(?:```|~~~)/.test(line)).length % 2 === 1
}

const linkPrefix = '#docent-citation-'

/** The index of the citation that a link of `linkCitations` leads to; null for other links. */
export function readCitationLink(href: string | null | undefined): number | null {
  const index = href?.startsWith(linkPrefix) === true ? href.slice(linkPrefix.length) : ''
  return /^\d{1,6}$/.test(index) ? Number(index) : null
}
