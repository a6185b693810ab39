import { analyzeText } from '../../base/text-analysis/analyze-text.ts'
import { findSentences, type Span, trimSpan } from '../../base/text-analysis/find-sentences.ts'
import { anchorOf } from '../../content/markdown/heading-anchors.ts'
import { type MarkdownBlock, readHeading, splitBlocks } from '../../content/markdown/markdown-blocks.ts'
import type { BlockOrigin, Passage } from '../../search/search-query.ts'
import { toPlain } from './exact-facts.ts'

/** What a citation needs to know of a passage. A page or an excerpt of one is a passage without origins. */
export type CitablePassage = Pick<
  Passage,
  'path' | 'anchor' | 'title' | 'headings' | 'content' | 'version' | 'language' | 'file' | 'origins'
>

/** The smallest part of a passage that an answer can rest on: a sentence, an item, a row, a line of code. */
export interface PassageUnit extends Span {
  /** Offsets are into the passage's content. */
  block: PassageBlock
  /** As `toPlain` writes it, between spaces. */
  plain: string
  terms: ReadonlySet<string>
}

export interface PassageBlock {
  kind: MarkdownBlock['kind']
  anchor: string | null
  headings: string[]
  origin: BlockOrigin | null
  /** Terms of the headings above and of the head of its table, which its units need not repeat. */
  context: ReadonlySet<string>
  /** Whether it is a table, whose cells are separate for a reader. */
  isTable: boolean
}

/** Consecutive units that a sentence may rest on together: one, or two neighbours under one heading. */
export interface PassageWindow {
  units: readonly PassageUnit[]
  /** Index of the first. */
  first: number
  isNegated: boolean
}

const negation = /(?<!\p{L})(?:not|never|no|none|neither|nor|cannot|without)(?!\p{L})|n['’]t(?!\p{L})/u
const tableRule = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const itemMark = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+/
const lineMark = /^[ \t]*>[ \t>]*/

/** A passage, taken apart to find what sentences of an answer rest on. */
export class PassageText {
  readonly passage: CitablePassage
  readonly units: readonly PassageUnit[]
  /** All units, each between spaces; no match spans two blocks. */
  readonly plain: string
  readonly #starts: number[] = []
  #terms: ReadonlySet<string> | null = null
  #windows: readonly PassageWindow[] | null = null

  constructor(passage: CitablePassage) {
    this.passage = passage
    this.units = listUnits(passage)
    let plain = ''
    let previous: PassageBlock | null = null
    for (const unit of this.units) {
      plain = previous === unit.block ? plain.slice(0, -1) : plain === '' ? '' : `${plain}\n`
      this.#starts.push(plain.length)
      plain += unit.plain
      previous = unit.block
    }
    this.plain = plain
  }

  get terms(): ReadonlySet<string> {
    return (this.#terms ??= new Set(this.units.flatMap(({ terms, block }) => [...terms, ...block.context])))
  }

  get windows(): readonly PassageWindow[] {
    return (this.#windows ??= listWindows(this.units))
  }

  /** The units that contain a text word for word; null if none do. @param plain As `toPlain` writes it, not empty. */
  findVerbatim(plain: string): PassageUnit[] | null {
    // Searched for by its first letter: a space would be met at every word.
    let first = this.plain.indexOf(plain)
    while (first !== -1 && !this.#isWhole(first, plain.length)) first = this.plain.indexOf(plain, first + 1)
    if (first === -1) return null
    const at = first - 1
    const end = first + plain.length
    return this.units.filter((unit, index) => {
      const start = this.#starts[index] ?? 0
      return start < end && start + unit.plain.length - 1 > at
    })
  }

  #isWhole(start: number, length: number): boolean {
    return this.plain[start - 1] === ' ' && this.plain[start + length] === ' '
  }
}

function listWindows(units: readonly PassageUnit[]): PassageWindow[] {
  const toWindow = (some: readonly PassageUnit[], first: number) => {
    return { units: some, first, isNegated: isNegated(some.map(({ plain }) => plain)) }
  }
  return units.flatMap((unit, index) => {
    const next = units[index + 1]
    const isPair = next !== undefined && next.block.headings === unit.block.headings && !unit.block.isTable
    return isPair ? [toWindow([unit], index), toWindow([unit, next], index)] : [toWindow([unit], index)]
  })
}

/** Whether one of the texts says no. */
export function isNegated(texts: readonly string[]): boolean {
  return texts.some((text) => negation.test(text))
}

function listUnits(passage: CitablePassage): PassageUnit[] {
  const { content, language } = passage
  const place = createPlace(passage)
  let from = 0
  return splitBlocks(content).flatMap((block, index) => {
    const start = content.indexOf(block.text, from)
    from = start + block.text.length
    const { anchor, headings } = place(block, passage.origins?.[index])
    if (block.kind === 'heading') return []
    const { spans, head } = splitBlock(block)
    const context = new Set(
      analyzeText([passage.title, ...headings, head].join('\n'), language).map(({ term }) => term),
    )
    const { kind } = block
    const shared = { kind, anchor, headings, origin: passage.origins?.[index] ?? null, context, isTable: head !== '' }
    return spans.map((span) => makeUnit(shared, block.text.slice(span.start, span.end), start + span.start, language))
  })
}

function makeUnit(block: PassageBlock, text: string, start: number, language: string | null): PassageUnit {
  const end = start + text.length
  let terms: ReadonlySet<string> | null = null
  const plain = ` ${toPlain(text.replace(/\n[ \t]*>[ \t>]*/g, '\n'))} `
  return {
    block,
    start,
    end,
    plain,
    get terms() {
      return (terms ??= new Set(analyzeText(plain, language).map(({ term }) => term)))
    },
  }
}

/** Follows the headings of a passage. Its content has no ids, so without origins a heading's own anchor is unknown. */
function createPlace({ anchor, title, headings }: CitablePassage) {
  const trail: { depth: number; text: string }[] = []
  let current = { anchor, headings }
  return (block: MarkdownBlock, origin: BlockOrigin | undefined): typeof current => {
    if (block.kind === 'heading') {
      const { text } = readHeading(block.text)
      while ((trail.at(-1)?.depth ?? 0) >= block.depth) trail.pop()
      trail.push({ depth: block.depth, text })
      const above = headings.indexOf(trail[0]?.text ?? '')
      const base = above === -1 ? headings.slice(0, -1) : headings.slice(0, above)
      const names = [...base, ...trail.map((heading) => heading.text)]
      const isWholePage = headings.length === 0 && anchor === null
      current = {
        anchor: isWholePage ? anchorOf(block.text) || null : anchor,
        headings: names.filter((name, index) => index > 0 || name !== title),
      }
    }
    return origin === undefined ? current : { ...current, anchor: origin.anchor }
  }
}

/** The units of a block, and the head of its table. */
function splitBlock({ kind, text }: MarkdownBlock): { spans: Span[]; head: string } {
  const lines = listLines(text)
  if (kind === 'fence') return { spans: lines.slice(1, lines.length > 1 ? -1 : undefined), head: '' }
  const [first, second] = lines.map(({ start, end }) => text.slice(start, end))
  const isTable = first?.includes('|') === true && second?.includes('-') === true && tableRule.test(second)
  if (isTable) return { spans: lines.slice(2), head: first }
  return { spans: splitItems(text, lines).flatMap((item) => splitSentences(text, item)), head: '' }
}

function listLines(text: string): Span[] {
  let start = 0
  return text.split('\n').map((line) => {
    const span = { start, end: start + line.length }
    start = span.end + 1
    return span
  })
}

/** The items of a list without their marks; any other block is one. */
function splitItems(text: string, lines: readonly Span[]): Span[] {
  const items: Span[] = []
  for (const { start, end } of lines) {
    const mark = itemMark.exec(text.slice(start, end))?.[0]
    const last = items.at(-1)
    if (mark !== undefined || last === undefined) {
      items.push({ start: start + (mark ?? lineMark.exec(text.slice(start, end))?.[0] ?? '').length, end })
    } else last.end = end
  }
  return items
}

/** Lines of a paragraph are one text, but a line end would end a sentence. */
function splitSentences(text: string, { start, end }: Span): Span[] {
  const sentences = findSentences(text.slice(start, end).replaceAll('\n', ' '))
  return sentences.map((sentence) => trimSpan(text, { start: start + sentence.start, end: start + sentence.end }))
}
