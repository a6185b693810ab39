import { analyzeQuery, analyzeText } from '../../base/text-analysis/analyze-text.ts'
import { isEnglish } from '../../base/text-analysis/language-analysis.ts'
import { guessLanguage, guessOtherLanguage, isFunctionWord } from '../../base/text-analysis/guess-language.ts'
import { listEnglishTerms } from '../../base/text-analysis/translate-to-english.ts'
import { joinWords } from '../../contract/join-words.ts'
import type { QuotedAnswer } from './answer-by-quoting.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import type { TermCounts } from './weigh-words.ts'
import { writeLink } from './write-answer.ts'

/** How much of each passage is read to tell the language, because one may quote another. */
const sampleCharsMax = 400
/** A further page must come this close to the nearest one. */
const alikeMin = 0.8
const pagesMax = 3
/** A word of a quarter of all passages, such as the product's name, points nowhere. */
const commonShare = 0.25
const smallSite = 40
/** A word of so few passages means the page that it names. */
const rareShare = 0.1
/** Fewer of the ordinary words of a question are in passages about anything. */
const togetherMin = 2
/** English terms of what is done to anything, cars included. */
const aboutAnything =
  /^(?:add|change|compare|create|example|large|list|multiple|name|number|open|previous|read|result|slow|start|time|write)\b/

const codeSpan = /`[^`\n]{1,200}`/g

interface PointInput {
  /** As asked. */
  text: string
  /** Best first. */
  passages: readonly RetrievedPassage[]
  termCounts: TermCounts | null
}

/**
 * Names the nearest pages for a question in another language than the documentation, if a word of it, such as a name or
 * `cookies`, is known there, or the English terms of several. Such words tell which page is meant, and not what is asked,
 * so nothing is quoted.
 *
 * @returns Null if the languages agree or are unknown, or no word is known.
 */
export function pointToPage({ text, passages, termCounts }: PointInput): QuotedAnswer | null {
  // Keys and flags in code are letters, which are words of some language.
  const sample = passages.map(({ content }) => content.slice(0, sampleCharsMax).replace(codeSpan, ' ')).join('\n')
  const [asked, written] = [readLanguage(text), guessLanguage(sample)]
  const [best] = passages
  if (best === undefined || asked === null || written === null || asked === written) return null
  const translated = isEnglish(written) ? listEnglishTerms(text, asked) : []
  const knowsWord = listOwn(text, asked, written, translated).some((terms) => isTelling(terms, termCounts))
  if (!knowsWord && !isAbout(best, translated, termCounts)) return null
  const near = passages.filter(({ score }) => score >= alikeMin * best.score)
  const isFirst = ({ path }: RetrievedPassage, index: number) => near.findIndex((one) => one.path === path) === index
  const pages = near.filter(isFirst).slice(0, pagesMax)
  const [is, page] = pages.length === 1 ? ['is', 'page'] : ['are', 'pages']
  const sentence = `This documentation is not written in the language of the question. The nearest ${page} ${is}`
  return { text: `${sentence} ${joinWords(pages.map(writeLink), 'and')}.`, verdict: 'nearest-page' }
}

/** English is read as such only if another language is impossible, because its words are in every question. */
function readLanguage(text: string): string | null {
  return guessOtherLanguage(text) ?? (guessLanguage(text) === 'en' ? 'en' : null)
}

/** Ordinary words such as `file` tell something together, or alone if they name the page and are rare or all there is. */
function isAbout(passage: RetrievedPassage, translated: readonly string[], termCounts: TermCounts | null): boolean {
  const { title, headings, content } = passage
  const names = listTerms([title, ...headings].join('\n'))
  const all = listTerms([title, ...headings, content].join('\n'))
  const words = translated.filter((word) => !aboutAnything.test(word)).map((word) => [...listTerms(word)])
  const found = words.filter((terms) => terms.some((term) => all.has(term)))
  const told = found.filter((terms) => terms.some((term) => all.has(term) && isTelling([term], termCounts)))
  const isNamed = (terms: string[]) => terms.some((term) => names.has(term) && isTelling([term], termCounts, rareShare))
  const isWholeName = words.length > 0 && words.every((terms) => terms.some((term) => names.has(term)))
  return isWholeName || told.length >= togetherMin || found.length > togetherMin || told.some(isNamed)
}

const listTerms = (text: string) => new Set(analyzeText(text, 'en').map(({ term }) => term))

/** The words that the question spells as the site does. */
function listOwn(text: string, asked: string, written: string, translated: readonly string[]): string[][] {
  const general = listTerms(translated.filter((word) => aboutAnything.test(word)).join(' '))
  const words = analyzeQuery(text, written).filter(({ surface }) => !isFunctionWord(surface, asked))
  const terms = words.map(({ wholes, parts }) => [...wholes, ...parts].filter((term) => !general.has(term)))
  return terms.filter(({ length }) => length > 0)
}

function isTelling(terms: readonly string[], termCounts: TermCounts | null, shareMax = commonShare): boolean {
  if (termCounts === null) return true
  const { passages, counts, meant } = termCounts
  if (terms.some((term) => Object.hasOwn(meant, term))) return true
  const count = Math.max(0, ...terms.map((term) => (Object.hasOwn(counts, term) ? (counts[term] ?? 0) : 0)))
  return count > 0 && (passages <= smallSite || count <= shareMax * passages)
}
