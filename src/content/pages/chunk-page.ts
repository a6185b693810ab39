import { splitAnnotatedCode } from '../../base/text-analysis/split-annotated-code.ts'
import { cutText } from '../trees/clean-text.ts'
import type { Chunk } from './chunk.ts'
import { anchorOf } from '../markdown/heading-anchors.ts'
import { type MarkdownBlock, readHeading, splitBlocks } from '../markdown/markdown-blocks.ts'
import type { SitePage } from '../site-page.ts'

/** Longest chunk in characters, except single fenced blocks. */
export const chunkCharsMax = 2000
/** Sibling sections are merged up to this many characters. */
export const mergedCharsMax = 800

interface Section {
  depth: number
  anchor: string | null
  headings: string[]
  /** Headings above, the same for siblings. */
  parent: string
  blocks: PageBlock[]
}

interface PageBlock extends MarkdownBlock {
  /** Position in the page. */
  place: number
}

/** Consecutive blocks, of which the first and the last may be parts. */
interface BlockRun {
  text: string
  blocks: { first: number; count: number }
}

/**
 * Splits a page into chunks for ranking and quoting: one per heading section, at most `chunkCharsMax` long; small
 * siblings are merged unless a question heads them. Never splits a fenced block, however long, unless it is a list of explained settings.
 *
 * The chunks contain all text of the page in order, including headings; only headers of long tables and the fences of long lists of settings are repeated. A page without text has one chunk with its
 * description or title, so that it can be found. Pure.
 */
export function chunkPage(page: SitePage): Chunk[] {
  const sections = joinBareHeadings(readSections(page))
  if (sections.length === 0) {
    const text = page.description || page.title
    return [{ pagePath: page.path, ordinal: 0, anchor: null, headings: [], text }]
  }
  const pieces = mergeSiblings(sections.flatMap((section) => splitSection(section)))
  return pieces.map((piece, ordinal) => ({
    pagePath: page.path,
    ordinal,
    anchor: piece.anchor,
    headings: piece.headings,
    text: piece.text,
    blocks: piece.blocks,
  }))
}

function readSections(page: SitePage): Section[] {
  const trail: { depth: number; text: string }[] = []
  const sections: Section[] = [{ depth: 0, anchor: null, headings: [], parent: '', blocks: [] }]
  for (const [place, block] of splitBlocks(page.markdown).entries()) {
    if (block.kind === 'heading') {
      const { text } = readHeading(block.text)
      while ((trail.at(-1)?.depth ?? 0) >= block.depth) trail.pop()
      const parent = trail.map((above) => above.text).join('\n')
      trail.push({ depth: block.depth, text })
      const headings = trail.map((above) => above.text).filter((title, index) => index > 0 || title !== page.title)
      sections.push({ depth: block.depth, anchor: anchorOf(block.text) || null, headings, parent, blocks: [] })
    }
    sections.at(-1)?.blocks.push({ ...block, place })
  }
  return sections.filter((section) => section.blocks.length > 0)
}

/** Moves a heading without content to the next section, which it would otherwise outrank. */
function joinBareHeadings(sections: readonly Section[]): Section[] {
  const joined: Section[] = []
  let waiting: PageBlock[] = []
  for (const [index, section] of sections.entries()) {
    const isBare = section.blocks.every((block) => block.kind === 'heading')
    const next = sections[index + 1]
    if (isBare && next !== undefined && next.depth > section.depth) {
      waiting.push(...section.blocks)
      continue
    }
    joined.push({ ...section, blocks: [...waiting, ...section.blocks] })
    waiting = []
  }
  return joined
}

interface Piece extends Omit<Section, 'blocks'>, BlockRun {
  /** Pieces of a split section are not merged with others. */
  isWhole: boolean
}

function splitSection(section: Section): Piece[] {
  const { blocks, ...under } = section
  const runs = packRuns(blocks.flatMap((block) => splitBlock(block).map((text) => ({ text, place: block.place }))))
  return runs.map((run) => ({ ...under, ...run, isWhole: runs.length === 1 }))
}

/** Packs whole parts into chunks, front to back. */
function packRuns(parts: readonly { text: string; place: number }[]): BlockRun[] {
  const packed: BlockRun[] = []
  for (const { text, place } of parts) {
    const current = packed.at(-1)
    if (current !== undefined && current.text.length + 2 + text.length <= chunkCharsMax) append(current, text, 1)
    else packed.push({ text, blocks: { first: place, count: 1 } })
  }
  return packed
}

function append(run: BlockRun, text: string, count: number): void {
  run.text += `\n\n${text}`
  run.blocks = { ...run.blocks, count: run.blocks.count + count }
}

/**
 * Splits a long paragraph, list or table between lines, long lines after a sentence, and anything else anywhere. Each
 * part of a table begins with its header.
 */
function splitBlock(block: MarkdownBlock): string[] {
  if (block.text.length <= chunkCharsMax) return [block.text]
  if (block.kind === 'fence') return splitFence(block.text)
  const header = tableHeader.exec(block.text)?.[0] ?? ''
  const pieces: string[] = []
  let current = ''
  for (const line of block.text.split('\n').flatMap((line) => splitLine(line))) {
    if (current !== '' && current.length + 1 + line.length > chunkCharsMax) {
      pieces.push(current)
      current = header.length + line.length > chunkCharsMax ? line : header + line
    } else current = current === '' ? line : `${current}\n${line}`
  }
  return current.trim() === '' ? pieces : [...pieces, current]
}

/** A long list of settings is split between them; other code is not split. Each part is fenced. */
function splitFence(text: string): string[] {
  const annotated = splitAnnotatedCode(text)
  if (annotated === null) return [text]
  const { open, close } = annotated.fence
  const roomMax = chunkCharsMax - open.length - close.length - 2
  const groups: string[] = []
  for (const stanza of annotated.stanzas) {
    const joined = groups.length === 0 ? stanza : `${groups.at(-1)}\n\n${stanza}`
    if (groups.length > 0 && joined.length <= roomMax) groups[groups.length - 1] = joined
    else groups.push(stanza)
  }
  return groups.map((group) => [open, group, close].join('\n'))
}

/** A longer one would leave too little room for the rows. */
const tableHeader = /^\|[^\n]{1,500}\n\|[ |:-]{1,200}\n/

function splitLine(line: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (line.length - start > chunkCharsMax) {
    const window = cutText(line.slice(start, start + chunkCharsMax), chunkCharsMax)
    const end = lastBreak(window)
    pieces.push(window.slice(0, end))
    start += end
  }
  return [...pieces, line.slice(start)].filter((piece) => piece.trim() !== '')
}

/**
 * After the last sentence in the second half, else after the last space there, else at the end; never inside a
 * surrogate pair.
 */
function lastBreak(window: string): number {
  const half = window.length >> 1
  const sentence = Math.max(
    ...['. ', '! ', '? ', '。', '！', '？'].map((mark) => window.lastIndexOf(mark) + mark.length),
  )
  if (sentence > half) return sentence
  const space = window.lastIndexOf(' ') + 1
  if (space > half) return space
  const last = window.charCodeAt(window.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? window.length - 1 : window.length
}

/** A section that is headed by a question is an answer of its own, and would be lost among others. */
const isQuestion = ({ headings }: Piece): boolean => /[?？]\W*$/u.test(headings.at(-1) ?? '')

function mergeSiblings(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = []
  for (const piece of pieces) {
    const previous = merged.at(-1)
    const isSibling =
      previous !== undefined && previous.depth === piece.depth && previous.parent === piece.parent && piece.depth > 0
    if (
      isSibling &&
      !isQuestion(piece) &&
      !isQuestion(previous) &&
      previous.isWhole &&
      piece.isWhole &&
      previous.text.length + 2 + piece.text.length <= mergedCharsMax
    ) {
      append(previous, piece.text, piece.blocks.count)
    } else merged.push({ ...piece })
  }
  return merged
}
