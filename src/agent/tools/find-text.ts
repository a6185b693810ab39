import { rankBySimilarity } from '../../content/links/nearest-address.ts'

/** A range of a text, by offsets. */
export interface TextRange {
  start: number
  end: number
}

export interface FoundText {
  ranges: TextRange[]
  /** What was ignored to find it; null if it occurs exactly. */
  ignored: string | null
}

/** A simplified text with the original offset of each character. */
interface ReducedText {
  text: string
  offsets: number[]
}

/** Characters that look alike, which models write one for another. */
const lookalikes: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '\u00A0': ' ',
  '\u2009': ' ',
  '\u202F': ' ',
}

interface Tolerance {
  ignored: string
  reduce(text: string): ReducedText
}

/** From strict to loose. */
const tolerances: readonly Tolerance[] = [
  { ignored: 'spaces at the end of lines', reduce: (text) => reduceLines(text, (line) => line.trimEnd()) },
  {
    ignored: 'the kind of quotes, dashes and spaces',
    reduce: (text) =>
      reduceLines(
        text.replaceAll(/[‘’‚‛“”„‟‐‑‒–—−\u00A0\u2009\u202F]/g, (character) => lookalikes[character] ?? character),
        (line) => line.trimEnd(),
      ),
  },
  { ignored: 'the width of spaces and line breaks', reduce: squeeze },
]

/**
 * Finds all occurrences of a text, in order and without overlaps: exact ones, else those that differ in what models
 * cannot see and often copy incorrectly. What is more than the ends of lines has to be unique.
 */
export function findText(text: string, wanted: string): FoundText {
  if (wanted === '') return { ranges: [], ignored: null }
  const exact = findExactly(text, wanted)
  if (exact.length > 0) return { ranges: exact.map((start) => ({ start, end: start + wanted.length })), ignored: null }
  for (const [index, { ignored, reduce }] of tolerances.entries()) {
    const reducedWanted = reduce(wanted).text
    if (reducedWanted.trim() === '') continue
    const reduced = reduceLast(text, index, reduce)
    const found = findExactly(reduced.text, reducedWanted)
    if (found.length === 0 || (index > 0 && found.length > 1)) continue
    const ranges = found.map((start) => ({
      start: reduced.offsets[start] ?? 0,
      end: endOf(text, reduced, start + reducedWanted.length),
    }))
    return { ranges, ignored }
  }
  return { ranges: [], ignored: null }
}

/** Letters of scripts that put spaces between words, and digits. */
const letter = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]'
const startsWithLetter = new RegExp(`^${letter}`, 'u')
const endsWithLetter = new RegExp(`${letter}$`, 'u')
const joinedBefore = new RegExp(`${letter}_?$`, 'u')
const joinedAfter = new RegExp(`^(?!(?:e?s|e?n)(?!${letter}))_?${letter}`, 'u')

/** Whether a part of a text is no piece of a longer word, number or identifier. Plurals in s and n are the word itself. */
export function isWholeWord(text: string, { start, end }: TextRange): boolean {
  const [found, before, after] = [
    text.slice(start, end),
    text.slice(Math.max(0, start - 3), start),
    text.slice(end, end + 4),
  ]
  if (startsWithLetter.test(found) && (joinedBefore.test(before) || (/^\d/.test(found) && /\d\.$/.test(before))))
    return false
  return !endsWithLetter.test(found) || !(joinedAfter.test(after) || (/\d$/.test(found) && /^\.\d/.test(after)))
}

/** Kept for the last text, because one edit after another is looked for in it. */
let last: { text: string; reduced: ReducedText[] } = { text: '', reduced: [] }

function reduceLast(text: string, tolerance: number, reduce: Tolerance['reduce']): ReducedText {
  if (last.text !== text) last = { text, reduced: [] }
  return (last.reduced[tolerance] ??= reduce(text))
}

/** The text without the line numbers of `read`, if each of its lines carries one. */
export function withoutLineNumbers(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const isNumbered = lines.every((line) => /^\s*\d+(?:\t|→|\|)/.test(line))
  return isNumbered ? lines.map((line) => line.replace(/^\s*\d+(?:\t|→|\|)/, '')).join('\n') : text
}

/** From 1. */
export function findLineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

const lineCharsShown = 200
const linesComparedMax = 20_000

/** The lines of a text that are most like the first lines of another, as `number: line`, best first. */
export function findSimilarLines(text: string, wanted: string, limit: number): string[] {
  const sought = wanted.split('\n').find((line) => line.trim().length > 2) ?? wanted
  const lines = text.split('\n', linesComparedMax).map((line) => line.trim().slice(0, lineCharsShown))
  const near = rankBySimilarity(sought.trim().slice(0, lineCharsShown), [...new Set(lines)], limit)
  return near.map((line) => `line ${lines.indexOf(line) + 1}: ${JSON.stringify(line)}`)
}

function findExactly(text: string, wanted: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at)
  return starts
}

/** @param keep The beginning of a line that counts. */
function reduceLines(text: string, keep: (line: string) => string): ReducedText {
  const offsets: number[] = []
  let reduced = ''
  let lineStart = 0
  while (lineStart <= text.length) {
    const found = text.indexOf('\n', lineStart)
    const lineEnd = found === -1 ? text.length : found
    const kept = keep(text.slice(lineStart, lineEnd))
    for (let index = 0; index < kept.length; index++) offsets.push(lineStart + index)
    reduced += kept
    if (found === -1) break
    offsets.push(lineEnd)
    reduced += '\n'
    lineStart = lineEnd + 1
  }
  return { text: reduced, offsets }
}

/** Every run of white space counts as one space; none at the ends. */
function squeeze(text: string): ReducedText {
  const offsets: number[] = []
  let reduced = ''
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (reduced !== '') {
      offsets.push(index - 1)
      reduced += ' '
    }
    for (let at = 0; at < word.length; at++) offsets.push(index + at)
    reduced += word
  }
  return { text: reduced, offsets }
}

/** The end of a match: after its last character, so that trailing spaces stay. */
function endOf(text: string, { offsets }: ReducedText, end: number): number {
  const last = offsets[end - 1]
  return last === undefined ? text.length : last + 1
}
