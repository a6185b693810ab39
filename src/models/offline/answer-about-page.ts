import type { QuotedAnswer } from './answer-by-quoting.ts'
import { cleanQuote } from './clean-quote.ts'
import { containsLink } from './contains-link.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import { type PassagePart, splitPassage } from './split-passage.ts'
import { writeLink } from './write-answer.ts'

const headingsMax = 12
const partCharsMax = 800

/** A page in short: its description, its first paragraph, and what its sections are called. */
export function summarizePage(page: RetrievedPassage): QuotedAnswer {
  const parts = splitPassage(page.content)
  const first = readFirstParagraph(parts)
  const description = cleanQuote(page.wholePage?.description ?? '').trim()
  const opening = first.startsWith(description) ? [first] : [description, first]
  const told = [...opening, ...listSections(page, parts)].filter((text) => text !== '' && !containsLink(text))
  return { text: [...told, writeLink(page)].join('\n\n'), verdict: 'supported' }
}

function readFirstParagraph(parts: readonly PassagePart[]): string {
  const first = parts.find(({ kind }) => kind === 'sentence')
  const paragraph = parts.filter(({ block, kind }) => kind === 'sentence' && block === first?.block)
  return cleanQuote(paragraph.map(({ text }) => text).join(' ')).slice(0, partCharsMax)
}

/** The headings of the highest level that the page has more than one of; the first may repeat the title. */
function listSections({ title }: RetrievedPassage, parts: readonly PassagePart[]): string[] {
  const paths = parts.map(({ headings }) => headings.filter((heading) => heading !== title))
  const names = [...new Set(paths.flatMap(([top]) => (top === undefined ? [] : [cleanQuote(top).trim()])))]
  const harmless = names.filter((name) => name !== '' && !containsLink(name)).slice(0, headingsMax)
  return harmless.length < 2 ? [] : [`Sections:\n\n${harmless.map((name) => `- ${name}`).join('\n')}`]
}

/** From here on, a section probably is about what was asked. */
export const nearScoreMin = 0.45

/** What a question about the reader's page gets if no sentence of the page answers it. */
export function writePageRefusal([best]: readonly RetrievedPassage[]): string {
  if (best === undefined) return 'This page does not say anything about that.'
  return best.score < nearScoreMin
    ? `This page does not say anything that answers the question: ${writeLink(best)}`
    : `No sentence on this page clearly answers the question. The nearest section: ${writeLink(best)}`
}

/** A summary was asked for, but the page is unknown. */
export const unknownPage = 'Open a page of this documentation, or name it, and ask again.'
