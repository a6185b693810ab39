import { findSentences } from '../../base/text-analysis/find-sentences.ts'
import { splitAnnotatedCode } from '../../base/text-analysis/split-annotated-code.ts'

/**
 * The smallest parts of a passage that can be quoted on their own.
 *
 * `block` numbers the paragraphs, lists and tables; parts of one share it. `lead` is the part that introduces a list, a
 * table or code: the sentence before it that ends in a colon.
 */
export interface PassagePart {
  kind: 'sentence' | 'item' | 'row' | 'code' | 'setting'
  /** As written in the passage. */
  text: string
  block: number
  /** Of the list that an item belongs to. */
  isOrdered: boolean
  /** For a row: its table's head, two lines. */
  tableHead: string
  /** Headings above it within the passage, nearest last. */
  headings: string[]
  /** Index of the part that introduces its block, else -1. */
  lead: number
}

const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/
/** Titles of tabs, steps and accordions: a paragraph of bold words alone. */
const boldLine = /^ {0,3}\*\*([^*]{1,200})\*\*[ \t]*$/
/** Below all real headings. */
const titleDepth = 7
const itemLine = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])[ \t]+\S/
const fenceLine = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/
const tableRule = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const ruleLine = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$/

/** Splits the Markdown of a passage. One pass over its lines; any text is accepted. */
export function splitPassage(markdown: string): PassagePart[] {
  return new PassageSplitter(markdown.replace(/\r\n?/g, '\n').split('\n')).run()
}

class PassageSplitter {
  readonly #lines: readonly string[]
  readonly #parts: PassagePart[] = []
  #headings: { depth: number; text: string }[] = []
  #at = 0
  #block = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  run(): PassagePart[] {
    while (this.#at < this.#lines.length) this.#readBlock()
    return this.#parts
  }

  #readBlock(): void {
    const line = this.#line()
    const heading = headingLine.exec(line)
    const title = this.#line(1).trim() === '' ? boldLine.exec(line) : null
    if (line.trim() === '' || ruleLine.test(line)) this.#at++
    else if (heading) this.#readHeading(heading[1]?.length ?? 1, heading[2] ?? '')
    else if (title) this.#readHeading(titleDepth, title[1] ?? '')
    else if (fenceLine.test(line) && !itemLine.test(line)) this.#readCode()
    else if (itemLine.test(line)) this.#readList()
    else if (line.includes('|') && tableRule.test(this.#line(1)) && this.#line(1).includes('-')) this.#readTable()
    else if (/^ {0,3}>/.test(line)) this.#readQuotation()
    else this.#readParagraph()
  }

  #line(offset = 0): string {
    return this.#lines[this.#at + offset] ?? ''
  }

  #readHeading(depth: number, text: string): void {
    this.#headings = [...this.#headings.filter((above) => above.depth < depth), { depth, text }]
    this.#at++
  }

  #takeFence(): string[] {
    const marker = fenceLine.exec(this.#line())?.[1] ?? '```'
    const taken = [this.#line()]
    this.#at++
    while (this.#at < this.#lines.length) {
      const line = this.#line()
      taken.push(line)
      this.#at++
      const bare = line.trim()
      if (bare.length >= marker.length && bare === marker.charAt(0).repeat(bare.length)) break
    }
    return taken
  }

  /** A list of settings is quoted by setting, each fenced by itself. */
  #readCode(): void {
    const text = this.#takeFence().join('\n')
    const annotated = splitAnnotatedCode(text)
    if (annotated === null) return this.#add('code', [text])
    const { open, close } = annotated.fence
    this.#add(
      'setting',
      annotated.stanzas.map((stanza) => [open, stanza, close].join('\n')),
    )
  }

  /** An item contains everything indented under it, including lists and code. */
  #readList(): void {
    const items: string[][] = []
    const isOrdered = itemLine.exec(this.#line())?.[1] !== undefined
    while (this.#at < this.#lines.length) {
      const line = this.#line()
      if (itemLine.test(line) && !ruleLine.test(line)) {
        if ((itemLine.exec(line)?.[1] !== undefined) !== isOrdered) break
        items.push(fenceLine.test(line) ? this.#takeFence() : [this.#takeLine()])
      } else if (/^[ \t]+\S/.test(line)) {
        items.at(-1)?.push(...(fenceLine.test(line) ? this.#takeFence() : [this.#takeLine()]))
      } else if (line.trim() === '' && (/^[ \t]+\S/.test(this.#line(1)) || itemLine.test(this.#line(1)))) {
        items.at(-1)?.push(this.#takeLine())
      } else if (line.trim() === '' || headingLine.test(line) || fenceLine.test(line) || ruleLine.test(line)) break
      else items.at(-1)?.push(this.#takeLine())
    }
    this.#add(
      'item',
      items.map((lines) => lines.join('\n').trimEnd()),
      { isOrdered },
    )
  }

  #takeLine(): string {
    const line = this.#line()
    this.#at++
    return line
  }

  #readTable(): void {
    const tableHead = `${this.#takeLine()}\n${this.#takeLine()}`
    const rows: string[] = []
    while (this.#line().includes('|')) rows.push(this.#takeLine())
    this.#add('row', rows, { tableHead })
  }

  /** A callout. Its markers are dropped, because its sentences are quoted individually. */
  #readQuotation(): void {
    const lines: string[] = []
    while (/^ {0,3}>/.test(this.#line())) lines.push(this.#takeLine().replace(/^ {0,3}> ?/, ''))
    const first = this.#parts.length
    const inner = splitPassage(lines.join('\n'))
    const blocks = inner.reduce((most, part) => Math.max(most, part.block + 1), 0)
    for (const part of inner) {
      const headings = [...this.#headings.map(({ text }) => text), ...part.headings]
      const lead = part.lead === -1 ? -1 : part.lead + first
      this.#parts.push({ ...part, block: part.block + this.#block, headings, lead })
    }
    this.#block += blocks
  }

  #readParagraph(): void {
    const lines: string[] = []
    do lines.push(this.#takeLine().trim())
    while (this.#at < this.#lines.length && !this.#startsBlock())
    const paragraph = lines.join(' ')
    this.#add(
      'sentence',
      findSentences(paragraph).map(({ start, end }) => paragraph.slice(start, end)),
    )
  }

  #startsBlock(): boolean {
    const line = this.#line()
    const isBlank = line.trim() === '' || ruleLine.test(line)
    return isBlank || headingLine.test(line) || fenceLine.test(line) || itemLine.test(line) || /^ {0,3}>/.test(line)
  }

  #add(
    kind: PassagePart['kind'],
    texts: readonly string[],
    more: { isOrdered?: boolean; tableHead?: string } = {},
  ): void {
    const block = this.#block++
    const lead = kind === 'sentence' ? -1 : this.#findLead()
    const headings = this.#headings.map(({ text }) => text)
    for (const text of texts) {
      if (text.trim() === '') continue
      this.#parts.push({ kind, text, block, isOrdered: false, tableHead: '', headings, lead, ...more })
    }
  }

  #findLead(): number {
    const last = this.#parts.at(-1)
    if (last?.kind !== 'sentence' || last.block !== this.#block - 2) return -1
    const isUnderSameHeading = last.headings.at(-1) === this.#headings.at(-1)?.text
    return isUnderSameHeading && /[:：][*_]*$/.test(last.text) ? this.#parts.length - 1 : -1
  }
}
