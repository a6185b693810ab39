import { findSentences } from '../../base/text-analysis/find-sentences.ts'
import type { SitePage } from '../../content/site-page.ts'
import { splitPassage, type PassagePart } from '../../models/offline/split-passage.ts'
import { foldText } from './fold-text.ts'

/** The smallest statement that a page makes: a sentence, an item, a row, a line of code. */
export interface Fact {
  /** Equal for facts that read the same, whatever their formatting. */
  key: string
  /** As written. */
  text: string
  /** Whether it is a line of code. */
  isCode: boolean
  page: SitePage
  /** The headings above it, joined. */
  section: string
}

/** Shorter ones, such as `}`, say nothing on their own. */
const keyCharsMin = 6
const nestedItem = /\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/
const itemMark = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/
const fence = /^[ \t]*(?:`{3,}|~{3,})/

/** Facts of a page in order. The same fact under the same heading is listed once. */
export function listFacts(page: SitePage): Fact[] {
  const facts = new Map<string, Fact>()
  const add = ({ text, isCode }: SplitText, section: string) => {
    const key = foldText(text)
    const place = `${section}\n${key}`
    if (key.length >= keyCharsMin && !facts.has(place))
      facts.set(place, { key, text: text.trim(), isCode, page, section })
  }
  if (page.description !== '') add({ text: page.description, isCode: false }, '')
  for (const part of splitPassage(page.markdown)) {
    const section = part.headings.map(foldHeading).join('\n')
    for (const split of splitPart(part)) add(split, section)
  }
  return [...facts.values()]
}

function foldHeading(heading: string): string {
  return foldText(heading.replace(/\{#[^\s{}]{1,200}\}[ \t]*$/, ''))
}

type SplitText = Pick<Fact, 'text' | 'isCode'>

function splitPart({ kind, text }: PassagePart): SplitText[] {
  if (kind === 'code') return listCodeLines(text)
  if (kind !== 'item') return [{ text, isCode: false }]
  return text.split(nestedItem).flatMap((item) => splitItem(item.replace(itemMark, '')))
}

/** Code within an item counts by line, as code does elsewhere. */
function splitItem(item: string): SplitText[] {
  const lines = item.split('\n')
  const start = lines.findIndex((line) => fence.test(line))
  const [prose, code] = start === -1 ? [lines, []] : [lines.slice(0, start), lines.slice(start)]
  const said = prose.map((line) => line.trim()).join(' ')
  const sentences = findSentences(said).map((span) => ({ text: said.slice(span.start, span.end), isCode: false }))
  return [...sentences, ...listCodeLines(code.join('\n'))]
}

const comment = /^[ \t]*(?:\/\/|\/?\*|#|<!--|--[ \t])/

/** Comments are prose. */
function listCodeLines(code: string): SplitText[] {
  const lines = code.split('\n').filter((line) => !fence.test(line))
  return lines.map((text) => ({ text, isCode: !comment.test(text) }))
}
