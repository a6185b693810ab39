import { readFenceMarker } from '../markdown/code-fence.ts'
import { findAscending } from './find-ascending.ts'
import { holdsQuote } from './normalize-words.ts'
import { attributeMark, reduceLines } from './reduce-lines.ts'
import { type LineRange, SourceWords } from './source-words.ts'

/** Characters compared for each one of the lines: bounds the time for hostile pages. */
const effortMax = 50
/** Cost of a comparison, which mostly ends at the first word. */
const comparisonEffort = 20
/** Blocks of fewer words must fill their lines: elsewhere, they may occur by chance. */
const looseWordsMin = 4
/** What the flattening puts before the text or the title of a callout. */
const calloutLabel = /^([ \t>]*\*\*)[^*\n:]{1,60}:/

interface Wanted {
  words: string
  isLoose: boolean
  /** Lines without words at its ends. */
  before: number
  after: number
}

interface Search {
  source: SourceWords
  effortLeft: number
}

/** Some lines of a file. */
export interface LineSlice {
  lines: readonly string[]
  /** Those before `start` and from `end` on are not searched; from 0. */
  start: number
  end: number
}

/**
 * Finds blocks by their words, which must be a contiguous run of those of the lines: first the longest ascending sequence
 * of blocks that occur in one place only, then the others at the first place between. What is found can be quoted (see
 * `holdsQuote`).
 */
export function locateWords(blocks: readonly string[], { lines, start, end }: LineSlice): (LineRange | null)[] {
  const source = new SourceWords(lines.slice(start, end), start)
  if (source.text === ' ') return blocks.map(() => null)
  const search = { source, effortLeft: effortMax * source.text.length }
  const wanted = blocks.map((block) => readBlock(search, block))
  const places = placeUnique(search, wanted)
  placeOthers(search, wanted, places)
  return wanted.map((block, index) => {
    const place = places[index] ?? null
    if (place === null) return null
    const range = widen(source.linesOf(place, place + block.words.length), block, lines)
    return holdsQuote(lines.slice(range[0] - 1, range[1]).join('\n'), withoutFences(blocks[index] ?? '')) ? range : null
  })
}

/** Quotes begin within them, and what follows their marks may be rewritten. */
function withoutFences(block: string): string {
  const lines = block.split('\n')
  if (readFenceMarker(lines[0] ?? '') !== null) return lines.slice(1, -1).join('\n')
  return lines.filter((line) => readFenceMarker(line) === null).join('\n')
}

/** Without the label of a callout if the lines do not have it. */
function readBlock(search: Search, block: string): Wanted {
  const wanted = readWords(block)
  if (!calloutLabel.test(block)) return wanted
  search.effortLeft -= search.source.text.length
  return search.source.text.includes(` ${wanted.words} `) ? wanted : readWords(block.replace(calloutLabel, '$1'))
}

function readWords(block: string): Wanted {
  const lines = reduceLines(block)
  const words = lines.join(' ').replaceAll(attributeMark, ' ').split(' ').filter(Boolean)
  const before = lines.findIndex((line) => line !== '')
  const after = lines.length - 1 - lines.findLastIndex((line) => line !== '')
  return { words: words.join(' '), isLoose: words.length >= looseWordsMin, before, after }
}

/** Whether a block is at a place where a run begins. */
function standsAt(search: Search, { words, isLoose }: Wanted, place: number): boolean {
  const { source } = search
  search.effortLeft -= comparisonEffort
  return source.occursAt(words, place) && (isLoose || source.isRunEnd(place + words.length))
}

/** By block: its place; null if there is none or another. */
function placeUnique(search: Search, wanted: readonly Wanted[]): (number | null)[] {
  const only = wanted.map((block) => findOnly(search, block))
  const kept = findAscending(only)
  let end = 0
  return only.map((place, index) => {
    if (place === null || place < end || !kept.has(index)) return null
    end = place + (wanted[index]?.words.length ?? 0)
    return place
  })
}

function findOnly(search: Search, block: Wanted): number | null {
  let found: number | null = null
  for (const place of search.source.listPlaces(block.words)) {
    if (search.effortLeft <= 0) return null
    if (!standsAt(search, block, place)) continue
    if (found !== null) return null
    found = place
  }
  return found
}

/** Places the other blocks between those that have a place. */
function placeOthers(search: Search, wanted: readonly Wanted[], places: (number | null)[]): void {
  const ends: number[] = []
  let end = search.source.text.length
  for (let index = places.length - 1; index >= 0; index--) {
    ends[index] = end
    end = places[index] ?? end
  }
  let start = 1
  for (const [index, block] of wanted.entries()) {
    const place = places[index] ?? findBetween(search, block, start, ends[index] as number)
    places[index] = place
    if (place !== null) start = place + block.words.length
  }
}

function findBetween(search: Search, block: Wanted, start: number, end: number): number | null {
  const { source } = search
  const last = end - block.words.length
  if (block.words === '' || last < start) return null
  for (const place of source.listPlaces(block.words, start)) {
    if (place > last || search.effortLeft <= 0) break
    if (standsAt(search, block, place)) return place
  }
  if (!block.isLoose || search.effortLeft <= 0) return null
  search.effortLeft -= end - start
  const within = source.text.slice(start - 1, end).indexOf(` ${block.words} `)
  return within === -1 ? null : start + within
}

/** Adds lines without words at the ends of a block, such as the marks of fenced code. */
function widen([first, last]: LineRange, { before, after }: Wanted, lines: readonly string[]): LineRange {
  let [start, end] = [first, last]
  while (start > first - before && isMark(lines[start - 2] ?? '')) start--
  while (end < last + after && isMark(lines[end] ?? '')) end++
  return [start, end]
}

const isMark = (line: string) => readFenceMarker(line) !== null || /^[ \t]*[^\s\p{L}\p{N}][^\p{L}\p{N}]*$/u.test(line)
