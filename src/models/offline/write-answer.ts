import { cleanQuote } from './clean-quote.ts'
import { containsLink } from './contains-link.ts'
import type { Quote } from './list-quotes.ts'
import type { Question } from './read-question.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import type { ReadPassage, ScoredPart } from './score-parts.ts'
import type { PassagePart } from './split-passage.ts'

/** Anything that could become part of a link, an image or a tag. */
const linkMark = /[[\]<]|:\/\/|www\.|@/i

/**
 * The quotes as Markdown: grouped by page, the page of the best quote first, in text order within a passage, each page
 * followed by its link. Contains no external links; if quotes would form one in combination, those with link syntax are
 * left out.
 */
export function writeAnswer(quotes: readonly Quote[], passages: readonly ReadPassage[]): string {
  const answer = writePages(quotes, passages)
  if (!containsLink(answer)) return answer
  const harmless = quotes.map((quote) => ({
    ...quote,
    parts: quote.parts.filter(({ part }) => {
      const written = [part.text, ...part.headings, ...(passages[quote.passage]?.headings ?? [])]
      return !written.some((text) => linkMark.test(text))
    }),
  }))
  const kept = writePages(harmless, passages)
  return kept === ''
    ? quotes
        .slice(0, 1)
        .map(({ passage }) => writeLink(passages[passage] as ReadPassage))
        .join('')
    : kept
}

function writePages(quotes: readonly Quote[], passages: readonly ReadPassage[]): string {
  const order = [...new Set(quotes.map(({ passage }) => passage))]
  const quoted = order.flatMap((index) => {
    const passage = passages[index]
    const parts = listParts(quotes, index)
    return passage === undefined || parts.length === 0 ? [] : [{ passage, parts }]
  })
  const pages = Map.groupBy(quoted, ({ passage }) => passage.path)
  return [...pages.values()]
    .map((group) => {
      const first = group[0] as (typeof group)[number]
      const text = writeParts(group.flatMap(({ passage, parts }) => parts.map((scored) => placePart(passage, scored))))
      return `${text}\n\n${writeLink(first.passage)}`
    })
    .join('\n\n')
}

function listParts(quotes: readonly Quote[], passage: number): ScoredPart[] {
  const parts = new Set(quotes.filter((quote) => quote.passage === passage).flatMap((quote) => quote.parts))
  return [...parts].toSorted((a, b) => a.index - b.index)
}

/** A part with what distinguishes it from its neighbours on the page. */
interface PlacedPart extends Pick<PassagePart, 'kind' | 'text' | 'tableHead'> {
  /** The same for parts of one paragraph, list or table. */
  block: string
  /** On its page, nearest last. */
  headings: readonly string[]
}

function placePart({ headings }: ReadPassage, { part, passage }: ScoredPart): PlacedPart {
  return { ...part, block: `${passage}.${part.block}`, headings: [...headings, ...part.headings] }
}

/**
 * Joins sentences of a paragraph on one line, puts items and rows on lines of their own, and names each further section.
 */
function writeParts(parts: readonly PlacedPart[]): string {
  let text = ''
  let previous: PlacedPart | undefined
  let indent = 0
  for (const part of parts) {
    const quote = cleanQuote(part.text)
    if (quote === '') continue
    const startsBlock = previous?.block !== part.block
    if (!startsBlock && part.kind === 'setting') {
      text = joinFences(text, quote)
      previous = part
      continue
    }
    if (startsBlock) indent = countIndent(part)
    text +=
      separate(previous, part) +
      nameSection(previous, part) +
      ' '.repeat(Math.max(0, countIndent(part) - indent)) +
      (startsBlock && part.kind === 'row' ? `${cleanQuote(part.tableHead)}\n` : '') +
      quote
    previous = part
  }
  return text
}

/** Settings of one block of code stay one block. */
function joinFences(text: string, next: string): string {
  return `${text.slice(0, text.lastIndexOf('\n'))}\n${next.slice(next.indexOf('\n'))}`
}

function nameSection(previous: PlacedPart | undefined, { headings }: PlacedPart): string {
  if (previous === undefined || previous.headings.join('\n') === headings.join('\n')) return ''
  const heading = cleanQuote(headings.at(-1) ?? '').replaceAll('*', '')
  return heading === '' ? '' : `**${heading}**\n\n`
}

function separate(previous: PlacedPart | undefined, next: PlacedPart): string {
  if (previous === undefined) return ''
  if (previous.block !== next.block) return '\n\n'
  return next.kind === 'sentence' ? ' ' : '\n'
}

/** Indentation of an item; nested items are indented further. */
function countIndent({ kind, text }: PlacedPart): number {
  return kind === 'item' ? text.length - text.trimStart().length : 0
}

/** Front ends turn these into links anywhere. */
const webAddress = /\S*(?::\/\/|www\.|@\S+\.)\S*/giu

export function writeLink({ title, link }: Pick<RetrievedPassage, 'title' | 'link'>): string {
  const plain = title.replace(webAddress, '').replace(/\s+/g, ' ')
  return `[${plain.replace(/[\\`*_[\]<>]/g, '\\$&').trim()}](${link})`
}

/**
 * Goes before quotes that may not be the answer.
 *
 * @param unmentioned Words of the question that no retrieved passage contains.
 */
export function writeHedge(unmentioned: readonly string[]): string {
  return `The documentation may not answer this exactly.${writeUnmentioned(unmentioned)} The passages that come closest say:`
}

function writeUnmentioned(words: readonly string[]): string {
  const said = words.map(quoteWords).filter((word) => word !== '')
  return said.length === 0 ? '' : ` No page that was found mentions ${said.map((word) => `“${word}”`).join(' or ')}.`
}

/** Says that no passage is known to answer the question, and names the page that is about its subject. */
export function writeNearestPage(question: Question, near: readonly RetrievedPassage[]): string {
  const asked = quoteWords(question.text)
  return `No passage was found that certainly answers ${asked === '' ? 'this' : `“${asked}”`}. ${listPages('Closest', near)}`
}

/**
 * One sentence that names what was asked, and the nearest pages.
 *
 * @param missing Names that no retrieved page contains. The sentence claims no more, because other pages may.
 */
export function writeRefusal(
  question: Question,
  missing: readonly string[],
  near: readonly RetrievedPassage[],
): string {
  const asked = quoteWords(question.text)
  const sentence = `The documentation does not say anything that answers ${asked === '' ? 'this' : `“${asked}”`}.${writeUnmentioned(missing)}`
  return near.length === 0 ? sentence : `${sentence} ${listPages('Nearest', near)}`
}

function listPages(nearness: string, pages: readonly RetrievedPassage[]): string {
  return `${nearness} ${pages.length === 1 ? 'page' : 'pages'}: ${pages.map(writeLink).join(', ')}`
}

/** The reader's text without links and markup. */
function quoteWords(text: string): string {
  const plain = text
    .replace(webAddress, '')
    .replace(/[^\p{L}\p{N}\p{M}\s.,;:'’%+#$?/_-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > 160 ? `${plain.slice(0, 160).replace(/\s\S*$/, '')}…` : plain
}
