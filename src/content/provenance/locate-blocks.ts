import { countBelow } from '../../base/count-below.ts'
import { normalizeLines } from './normalize-words.ts'
import { type LineRange, SourceWords } from './source-words.ts'

/** Characters compared for each one of the file: bounds the time for hostile pages. */
const effortMax = 200
/** Of a comparison, which mostly ends at the first word. */
const comparisonEffort = 20
/** Blocks of fewer words must fill their lines: elsewhere, they may stand by chance. */
const looseWordsMin = 4

/** A line of punctuation. */
const markOnly = /^[ \t]*[^\s\p{L}\p{N}][^\p{L}\p{N}]*$/u

interface Wanted {
  /** Of its lines. */
  lines: readonly string[]
  words: string
  isLoose: boolean
}

interface Search {
  source: SourceWords
  effortLeft: number
}

/**
 * Finds where the blocks of a page stand in the file that the page was made from.
 *
 * A block is found if its words (see `normalizeWords`) are a contiguous run of the words of the file, in the order of
 * the page: first the longest ascending sequence of blocks that stand in one place only, then, between these, the
 * others at the first place.
 *
 * @param blocks Markdown, in the order of the page.
 * @param lines Those of the file.
 * @param bodyLine Lines at the beginning of the file that are not searched.
 * @returns By block; null if it is not in the file word for word. Pure; linear time.
 */
export function locateBlocks(
  blocks: readonly string[],
  { lines, bodyLine }: { lines: readonly string[]; bodyLine: number },
): (LineRange | null)[] {
  const source = new SourceWords(lines, bodyLine)
  const search = { source, effortLeft: effortMax * source.text.length }
  const wanted = blocks.map(readBlock)
  const places = placeUnique(search, wanted)
  placeOthers(search, wanted, places)
  return wanted.map((block, index) => {
    const place = places[index] ?? -1
    return place === -1 ? null : widen(source.linesOf(place, place + block.words.length), block, lines)
  })
}

function readBlock(block: string): Wanted {
  const lines = normalizeLines(block)
  const words = lines.filter(Boolean).join(' ')
  return { lines, words, isLoose: words.split(' ', looseWordsMin).length === looseWordsMin }
}

/** Whether a block is at a place where a line begins. */
function standsAt(search: Search, { words, isLoose }: Wanted, place: number): boolean {
  const { source } = search
  search.effortLeft -= comparisonEffort
  return source.holdsAt(words, place) && (isLoose || source.isLineEnd(place + words.length))
}

/** @returns By block: its place, or -1. */
function placeUnique(search: Search, wanted: readonly Wanted[]): number[] {
  const only = wanted.map((block) => {
    if (block.words === '') return -1
    const found: number[] = []
    for (const place of search.source.listPlaces(block.words)) {
      if (search.effortLeft <= 0) return -1
      if (standsAt(search, block, place)) found.push(place)
      if (found.length > 1) return -1
    }
    return found[0] ?? -1
  })
  const kept = new Set(findAscending(only))
  let end = 0
  return only.map((place, index) => {
    if (!kept.has(index) || place < end) return -1
    end = place + (wanted[index]?.words.length ?? 0)
    return place
  })
}

/** Indexes of the longest ascending sequence, without those that are -1. By patience sorting. */
function findAscending(values: readonly number[]): number[] {
  /** By length of a sequence: the least value that ends one, and its index. */
  const ends: number[] = []
  const lasts: number[] = []
  const before: number[] = []
  for (const [index, value] of values.entries()) {
    if (value === -1) continue
    const length = countBelow(ends, value)
    before[index] = lasts[length - 1] ?? -1
    ends[length] = value
    lasts[length] = index
  }
  const found: number[] = []
  for (let index = lasts.at(-1) ?? -1; index !== -1; index = before[index] as number) found.push(index)
  return found
}

/** Places the other blocks between those that have a place. */
function placeOthers(search: Search, wanted: readonly Wanted[], places: number[]): void {
  const ends: number[] = []
  let end = search.source.text.length
  for (let index = places.length - 1; index >= 0; index--) {
    ends[index] = end
    if (places[index] !== -1) end = places[index] as number
  }
  let start = 1
  for (const [index, block] of wanted.entries()) {
    if (places[index] === -1) places[index] = findBetween(search, block, { start, end: ends[index] as number })
    if (places[index] !== -1) start = (places[index] as number) + block.words.length
  }
}

function findBetween(search: Search, block: Wanted, { start, end }: { start: number; end: number }): number {
  const { source } = search
  const last = end - block.words.length
  if (block.words === '') return -1
  for (const place of source.listPlaces(block.words, start)) {
    if (place > last || search.effortLeft <= 0) break
    if (standsAt(search, block, place)) return place
  }
  if (!block.isLoose || last < start || search.effortLeft <= 0) return -1
  search.effortLeft -= end - start
  const gap = source.text.slice(start - 1, end)
  const within = gap.indexOf(` ${block.words} `)
  return within === -1 ? -1 : start + within
}

/** Adds lines without words at the ends of a block, such as the marks of fenced code. */
function widen([first, last]: LineRange, { lines: wanted }: Wanted, lines: readonly string[]): LineRange {
  const before = wanted.findIndex((line) => line !== '')
  const after = wanted.length - 1 - wanted.findLastIndex((line) => line !== '')
  const isMark = (line: number) => markOnly.test(lines[line - 1] ?? '')
  let [start, end] = [first, last]
  while (start > first - before && isMark(start - 1)) start--
  while (end < last + after && isMark(end + 1)) end++
  return [start, end]
}
