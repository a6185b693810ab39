import { findAscending } from './find-ascending.ts'
import { type LineSlice, locateWords } from './locate-words.ts'
import type { LineRange } from './source-words.ts'

/** Lines compared for each one of the file: bounds the time for a page of equal lines. */
const effortMax = 50

/**
 * Finds the blocks of a page in the file that the page was made from, in the order of the page.
 *
 * Most are there unchanged, except for their indent: the longest ascending sequence of those that occur in one place
 * only is placed first. The others are sought between these by their words. The flattening itself keeps no positions:
 * it goes through components, snippets and two parsers.
 *
 * @param blocks Markdown.
 * @param source.lines Those of the file.
 * @param source.bodyLine Lines of frontmatter, where only the blocks before all others are sought.
 * @returns By block; null if it is not in the file word for word. Pure; linear time.
 */
export function locateBlocks(
  blocks: readonly string[],
  { lines, bodyLine }: { lines: readonly string[]; bodyLine: number },
): (LineRange | null)[] {
  const ranges = placeVerbatim(blocks, lines, bodyLine)
  let [first, start] = [0, bodyLine]
  for (let index = 0; index <= blocks.length; index++) {
    const range = ranges[index]
    if (index < blocks.length && !range) continue
    const gap: LineSlice = { lines, start, end: range ? range[0] - 1 : lines.length }
    if (index > first && gap.end > start) {
      ranges.splice(first, index - first, ...locateWords(blocks.slice(first, index), gap))
    }
    if (range) [first, start] = [index + 1, range[1]]
  }
  return placeLanding(blocks, ranges, { lines, start: 0, end: bodyLine })
}

/** Start pages are written in the frontmatter. */
function placeLanding(
  blocks: readonly string[],
  ranges: (LineRange | null)[],
  frontmatter: LineSlice,
): (LineRange | null)[] {
  const count = ranges.findIndex((range) => range !== null)
  const landing = blocks.slice(0, count === -1 ? blocks.length : count)
  if (landing.length > 0) ranges.splice(0, landing.length, ...locateWords(landing, frontmatter))
  return ranges
}

function placeVerbatim(blocks: readonly string[], lines: readonly string[], bodyLine: number): (LineRange | null)[] {
  const bare = lines.map((line) => line.trim())
  const places = Map.groupBy(bare.keys(), (index) => (index < bodyLine ? null : bare[index]))
  const search = { bare, effortLeft: effortMax * lines.length }
  const wanted = blocks.map((block) => block.split('\n').map((line) => line.trim()))
  const only = wanted.map((block) => findOnly(search, block, places.get(block[0]) ?? []))
  const kept = findAscending(only)
  let end = 0
  return only.map((place, index) => {
    if (place === null || place < end || !kept.has(index)) return null
    end = place + (wanted[index]?.length ?? 0)
    return [place + 1, end]
  })
}

interface LineSearch {
  bare: readonly string[]
  effortLeft: number
}

/** The index of the first line of a block; null if it occurs nowhere or in several places. */
function findOnly(search: LineSearch, block: readonly string[], places: readonly number[]): number | null {
  let found: number | null = null
  for (const place of places) {
    if (search.effortLeft <= 0) return null
    const length = countEqual(search.bare, place, block)
    search.effortLeft -= 1 + length
    if (length < block.length) continue
    if (found !== null) return null
    found = place
  }
  return found
}

function countEqual(lines: readonly string[], start: number, block: readonly string[]): number {
  let length = 0
  while (length < block.length && lines[start + length] === block[length]) length++
  return length
}
