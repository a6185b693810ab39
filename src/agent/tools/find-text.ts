/** A range of a text, by offsets. */
export interface TextRange {
  start: number
  end: number
}

/** A normalized text with the original offset of each character and of the end. */
interface ReducedText {
  text: string
  offsets: number[]
}

/**
 * Finds all occurrences of a text, in order and without overlaps. If there is no exact match, ignores line endings and
 * trailing spaces, which models cannot see and often copy incorrectly.
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
export function findLineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Suggestions for a text that was not found: lines that contain its first line, ignoring spaces and case. */
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

/** Drops trailing spaces and carriage returns. */
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

/** The end of a match: after its last character, so that trailing spaces stay. */
function endOf(text: string, { offsets }: ReducedText, end: number): number {
  const last = offsets[end - 1]
  return last === undefined ? text.length : last + 1
}
