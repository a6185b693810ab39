/** A part of a text, by its offsets. */
export interface TextRange {
  start: number
  end: number
}

/** A text with a place in the original for each of its characters, and one for its end. */
interface ReducedText {
  text: string
  offsets: number[]
}

/**
 * Every place where a text occurs, without overlaps, in order: as it is, else with line endings and blanks at the ends
 * of lines left out of account, because models do not see those and copy them wrong.
 */
export function findText(text: string, wanted: string): TextRange[] {
  if (wanted === '') return []
  const exact = findExactly(text, wanted)
  if (exact.length > 0) return exact.map((start) => ({ start, end: start + wanted.length }))
  const reduced = reduce(text)
  const reducedWanted = reduce(wanted).text
  if (reducedWanted.trim() === '') return []
  return findExactly(reduced.text, reducedWanted).map((start) => ({
    start: reduced.offsets[start] ?? 0,
    end: endOf(text, reduced, start + reducedWanted.length),
  }))
}

/** From 1. */
export function lineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Lines that come closest to the first line of a text that was not found: those that hold it apart from blanks and case. */
export function findSimilarLines(text: string, wanted: string, limit: number): number[] {
  const sought = wanted
    .split('\n')
    .map(squeeze)
    .find((line) => line !== '')
  if (sought === undefined) return []
  return text
    .split('\n')
    .flatMap((line, index) => (squeeze(line).includes(sought) ? [index + 1] : []))
    .slice(0, limit)
}

function squeeze(line: string): string {
  return line.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

function findExactly(text: string, wanted: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at)
  return starts
}

/** Drops blanks before the ends of lines and carriage returns. */
function reduce(text: string): ReducedText {
  const offsets: number[] = []
  let reduced = ''
  let lineStart = 0
  while (lineStart <= text.length) {
    const found = text.indexOf('\n', lineStart)
    const lineEnd = found === -1 ? text.length : found
    const kept = text.slice(lineStart, lineEnd).trimEnd()
    for (let index = 0; index < kept.length; index++) offsets.push(lineStart + index)
    reduced += kept
    if (found === -1) break
    offsets.push(lineEnd)
    reduced += '\n'
    lineStart = lineEnd + 1
  }
  return { text: reduced, offsets }
}

/** Where a match ends: behind its last character, so that blanks after the match stay as they were. */
function endOf(text: string, { offsets }: ReducedText, end: number): number {
  const last = offsets[end - 1]
  return last === undefined ? text.length : last + 1
}
