import type { Citation } from './citations.ts'

/** A stretch of an answer's text, and the citations of the sentence that it ends with. */
export interface CitedPiece {
  text: string
  /** Empty after the last cited sentence; otherwise by number, those of one number adjacent. */
  citations: readonly Citation[]
}

/**
 * Splits the text of an answer where a cited sentence ends, which is where the numbers of its sources belong.
 *
 * Pure. The pieces joined are `text`. Citations whose sentence is not in the text, because it has not all arrived yet,
 * are left out.
 *
 * @param text The joined text of one text part.
 * @param citations Citations of that part, in any order.
 */
export function splitAtCitations(text: string, citations: readonly Citation[]): CitedPiece[] {
  const byEnd = Map.groupBy(citations, ({ answer }) => answer.end)
  const ends = [...byEnd.keys()].filter((end) => end > 0 && end <= text.length).sort((a, b) => a - b)
  const pieces = ends.map((end, place) => ({
    text: text.slice(ends[place - 1] ?? 0, end),
    citations: (byEnd.get(end) ?? []).toSorted((a, b) => Number(a.number) - Number(b.number)),
  }))
  const rest = text.slice(ends.at(-1) ?? 0)
  return rest === '' ? pieces : [...pieces, { text: rest, citations: [] }]
}
