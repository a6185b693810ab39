import { splitBlocks } from '../../content/markdown/markdown-blocks.ts'
import type { SitePage } from '../../content/site-page.ts'

/** Words in a row that are compared. */
const shingleWords = 3
/** Texts with fewer shingles say too little to tell a copy from a stub. */
const shinglesMin = 8
const wordsMax = 5_000
/** Pages are copies from this share of equal shingles on. Pages that share no band are not even compared. */
const likenessMin = 0.5
const bands = 8
const rowsPerBand = 4

/**
 * Finds pages that say the same: one page in several versions, or for several languages of programming. Copies have the
 * same title and nearly the same prose; code is not compared, because it is what differs between dialects.
 *
 * Compares sketches (MinHash) in buckets instead of pairs, so that the time is linear in the text of pages that share a
 * title.
 *
 * @returns By page: the first page of its group, or null if it has no copy.
 * @see Broder: On the resemblance and containment of documents, 1997.
 */
export function findCopies(pages: readonly SitePage[]): (number | null)[] {
  const first = pages.map((_, page) => page)
  const byTitle = Map.groupBy(pages.keys(), (page) => pages[page]?.title.trim().toLowerCase() ?? '')
  for (const namesakes of byTitle.values()) if (namesakes.length > 1) joinCopies(pages, namesakes, first)
  const sizes = new Map<number, number>()
  const roots = first.map((_, page) => findRoot(first, page))
  for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1)
  return roots.map((root) => ((sizes.get(root) ?? 0) > 1 ? root : null))
}

/** @param first By page: an earlier page of its group, or itself. */
function joinCopies(pages: readonly SitePage[], namesakes: readonly number[], first: number[]): void {
  const buckets = new Map<string, { page: number; sketch: Uint32Array }>()
  for (const page of namesakes) {
    const sketch = makeSketch(pages[page]?.markdown ?? '')
    for (const band of listBands(sketch)) {
      const known = buckets.get(band)
      if (known === undefined) buckets.set(band, { page, sketch })
      else if (measureLikeness(known.sketch, sketch) >= likenessMin) join(first, known.page, page)
    }
  }
}

/** An estimate of the share of equal shingles. */
function measureLikeness(one: Uint32Array, other: Uint32Array): number {
  return one.filter((least, row) => least === other[row]).length / one.length
}

function join(first: number[], one: number, other: number): void {
  const [low, high] = [findRoot(first, one), findRoot(first, other)].sort((a, b) => a - b) as [number, number]
  first[high] = low
}

function findRoot(first: readonly number[], page: number): number {
  let root = page
  while (first[root] !== root) root = first[root] as number
  return root
}

/** The least hash of all shingles, by permutation; empty for a text too short to compare. */
function makeSketch(markdown: string): Uint32Array {
  const prose = splitBlocks(markdown).filter(({ kind }) => kind !== 'fence')
  const text = prose.map((block) => block.text).join('\n')
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, wordsMax)
  if (words.length < shinglesMin + shingleWords) return new Uint32Array()
  const sketch = new Uint32Array(bands * rowsPerBand).fill(0xffffffff)
  for (let place = 0; place + shingleWords <= words.length; place++) {
    const hash = hashText(words.slice(place, place + shingleWords).join(' '))
    for (let row = 0; row < sketch.length; row++) sketch[row] = Math.min(sketch[row] as number, mix(hash, row))
  }
  return sketch
}

function listBands(sketch: Uint32Array): string[] {
  const count = sketch.length / rowsPerBand
  const listRows = (band: number) => sketch.subarray(band * rowsPerBand, (band + 1) * rowsPerBand)
  return Array.from({ length: count }, (_, band) => `${band}:${listRows(band).join()}`)
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return hash
}

/** A different permutation per row: the finalizer of MurmurHash3. */
function mix(hash: number, row: number): number {
  let mixed = hash ^ Math.imul(row + 1, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
