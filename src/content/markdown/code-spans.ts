/** Ends a line before one that begins a block: no code span continues across. */
export const blockBreak = /\n(?=[ \t>]*(?:$|[-*+|#]|\d{1,9}[.)]))/m

interface Span {
  start: number
  end: number
}

/** Replaces what a global pattern matches outside of code spans. Linear time, except for the pattern. */
export function replaceOutsideSpans(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string,
): string {
  let offset = 0
  const spans = text.split(blockBreak).flatMap((block) => {
    const start = offset
    offset += block.length + 1
    return listCodeSpans(block).map((span) => ({ start: start + span.start, end: start + span.end }))
  })
  let next = 0
  let end = 0
  const parts: string[] = []
  for (const match of text.matchAll(pattern)) {
    while ((spans[next]?.end ?? Infinity) <= match.index) next++
    if ((spans[next]?.start ?? Infinity) < match.index) continue
    parts.push(text.slice(end, match.index), replace(match))
    end = match.index + match[0].length
  }
  return parts.join('') + text.slice(end)
}

/** A run of backticks begins a span if a run of the same length follows. */
function listCodeSpans(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
  const closings = Map.groupBy(runs.toReversed(), sizeOf)
  const spans: Span[] = []
  for (const { start, end } of runs) {
    if (start < (spans.at(-1)?.end ?? 0)) continue
    const opening = { start: isEscaped(text, start) ? start + 1 : start, end }
    const candidates = closings.get(sizeOf(opening)) ?? []
    while ((candidates.at(-1)?.start ?? Infinity) < end) candidates.pop()
    const closing = candidates.at(-1)
    if (closing !== undefined) spans.push({ start: opening.start, end: closing.end })
  }
  return spans
}

const sizeOf = ({ start, end }: Span) => end - start

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}
