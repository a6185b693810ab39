import type { AnswerText } from './answer-texts.ts'
import type { Citation } from './generated/wire-types.ts'

/** A stretch of a text with the citations of the sentence that it belongs to; none between cited sentences. */
export interface CitedPiece {
  text: string
  citations: Citation[]
}

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
 * Adds a link after each cited sentence: its number, leading to `#docent-citation-N`, where N counts the citations of the
 * text from 0. Works with every Markdown renderer: show such links as you like, see `readCitationLink`. In tables, links
 * stay within their row; after code blocks, they are a paragraph. Sentences that have not all arrived get none.
 */
export function linkCitations({ text, citations }: AnswerText): string {
  const linked: string[] = []
  let from = 0
  for (const [index, { number, answer }] of [...citations.entries()].sort(byEnd)) {
    const place = findPlace(text, answer.end)
    if (place === null) continue
    linked.push(text.slice(from, Math.max(from, place.at)), `${place.before}[${number}](${linkPrefix}${index})`)
    from = Math.max(from, place.at)
  }
  return linked.join('') + text.slice(from)
}

function byEnd([, one]: [number, Citation], [, other]: [number, Citation]): number {
  return one.answer.end - other.answer.end
}

/** Where the link of a sentence goes, and what separates it; null where it would be shown as code. */
function findPlace(text: string, end: number): { at: number; before: string } | null {
  if (end > text.length) return null
  const before = text.slice(0, end)
  const [line, prefix = ''] = /^([ \t>]*).*$/.exec(before.slice(before.lastIndexOf('\n') + 1)) ?? ['']
  const fences = before.split('\n').filter((each) => isFence(each)).length
  if (fences % 2 === 1) return null
  if (isFence(line)) return { at: end, before: `\n${prefix}\n${prefix}` }
  return { at: end - findCellEnd(line), before: ' ' }
}

function isFence(line: string): boolean {
  return /^[ \t>]*(?:```|~~~)/.test(line)
}

/** How many characters close the last cell of a table row. */
function findCellEnd(line: string): number {
  const row = line.trimEnd()
  const isRow = row.length > 1 && row.endsWith('|') && !row.endsWith('\\|')
  return isRow ? line.length - row.slice(0, -1).trimEnd().length : 0
}

const linkPrefix = '#docent-citation-'

/** The index of the citation that a link of `linkCitations` leads to; null for other links. */
export function readCitationLink(href: string | null | undefined): number | null {
  const index = href?.startsWith(linkPrefix) === true ? href.slice(linkPrefix.length) : ''
  return /^\d{1,6}$/.test(index) ? Number(index) : null
}
