import { analyzeQuery } from '../../base/text-analysis/analyze-text.ts'
import { guessLanguage, guessOtherLanguage, isFunctionWord } from '../../base/text-analysis/guess-language.ts'
import type { QuotedAnswer } from './answer-by-quoting.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import type { TermCounts } from './weigh-words.ts'
import { writeLink } from './write-answer.ts'

/** How much of the documentation is read to tell its language. */
const sampleCharsMax = 3_000
/** A further page must come this close to the nearest one. */
const alikeMin = 0.9
const pagesMax = 2
/** A word of a quarter of all passages, such as the product's name, points nowhere. */
const commonShare = 0.25
const smallSite = 40

interface PointInput {
  /** As asked. */
  text: string
  /** Best first. */
  passages: readonly RetrievedPassage[]
  termCounts: TermCounts | null
}

/**
 * Names the nearest pages for a question in another language than the documentation, if a word of it, such as a name or
 * `cookies`, is known there. Such words tell which page is meant, and not what is asked, so nothing is quoted.
 *
 * @returns Null if the languages agree or are unknown, or no word is known.
 */
export function pointToPage({ text, passages, termCounts }: PointInput): QuotedAnswer | null {
  const sample = passages.map(({ content }) => content).join('\n')
  const [asked, written] = [readLanguage(text), guessLanguage(sample.slice(0, sampleCharsMax))]
  const [best] = passages
  if (best === undefined || asked === null || written === null || asked === written) return null
  const knowsWord = listTelling(text, asked, written).some((terms) => isTelling(terms, termCounts))
  if (!knowsWord) return null
  const near = passages.filter(({ score }) => score >= alikeMin * best.score)
  const isFirst = ({ path }: RetrievedPassage, index: number) => near.findIndex((one) => one.path === path) === index
  const pages = near.filter(isFirst).slice(0, pagesMax)
  const [is, page] = pages.length === 1 ? ['is', 'page'] : ['are', 'pages']
  const sentence = `This documentation is not written in the language of the question. The nearest ${page} ${is}`
  return { text: `${sentence} ${pages.map(writeLink).join(' and ')}.`, verdict: 'nearest-page' }
}

/** English is read as such only if another language is impossible, because its words are in every question. */
function readLanguage(text: string): string | null {
  return guessOtherLanguage(text) ?? (guessLanguage(text) === 'en' ? 'en' : null)
}

function listTelling(text: string, asked: string, written: string): string[][] {
  const words = analyzeQuery(text, written).filter(({ surface }) => !isFunctionWord(surface, asked))
  return words.map(({ wholes, parts }) => [...wholes, ...parts])
}

function isTelling(terms: readonly string[], termCounts: TermCounts | null): boolean {
  if (termCounts === null) return true
  const { passages, counts, meant } = termCounts
  if (terms.some((term) => Object.hasOwn(meant, term))) return true
  const count = Math.max(0, ...terms.map((term) => (Object.hasOwn(counts, term) ? (counts[term] ?? 0) : 0)))
  return count > 0 && (passages <= smallSite || count <= commonShare * passages)
}
