import { chooseQuotes } from './choose-quotes.ts'
import { type Fit, judgeFit } from './judge-fit.ts'
import { listQuotes } from './list-quotes.ts'
import { listTerms, WordMatcher } from './match-words.ts'
import type { Question } from './read-question.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'
import { listVocabulary, type ReadPassage, readPassage, scoreParts } from './score-parts.ts'
import { writeAnswer, writeHedge, writeNearestPage, writeRefusal } from './write-answer.ts'

export interface QuotedAnswer extends Pick<Fit, 'verdict'> {
  text: string
}

export interface AnswerByQuotingInput {
  question: Question
  /** Best first. */
  passages: readonly RetrievedPassage[]
  /** The service's instructions. They contain the site's name, which its pages need not repeat. */
  instructions: string
  /** How many passages the whole site has; null or absent if unknown. */
  sitePassages?: number | null
  /** Whether the reader asks about one page, whose passages these are. */
  isAboutPage?: boolean
}

/** Parsed passages to cache. */
const readPassagesMax = 500
/** A refusal names pages with at least this score. */
const nearScoreMin = 0.35
const nearMax = 2

/**
 * Answers a question with sentences of the passages, or says that they contain no answer. Pure except for a cache of
 * parsed passages.
 */
export class QuotingAnswerer {
  readonly #read = new Map<string, ReadPassage>()

  answer({
    question,
    passages,
    instructions,
    sitePassages = null,
    isAboutPage = false,
  }: AnswerByQuotingInput): QuotedAnswer {
    const read = passages.map((passage) =>
      this.#readPassage(isAboutPage ? passage : dropContents(passage), question.language),
    )
    const vocabulary = listVocabulary(read)
    const known = listTerms(readSiteName(instructions), question.language)
    const matcher = new WordMatcher(question.words, vocabulary, known)
    const { parts, weights } = scoreParts(question, read, matcher)
    const candidates = listQuotes(question, read, parts, weights)
    const choose = (isCertain: boolean) => chooseQuotes({ passages: read, candidates, parts, isCertain })
    const quotes = choose(true)
    const { verdict, missing, unmentioned } = judgeFit({
      question,
      passages: read,
      quotes,
      matcher,
      vocabulary,
      known,
      sitePassages,
      isAboutPage,
    })
    if (verdict === 'supported') return { verdict, text: writeAnswer(quotes, read) }
    if (verdict === 'partial')
      return { verdict, text: `${writeHedge(unmentioned)}\n\n${writeAnswer(choose(false), read)}` }
    const near = listNear(passages)
    return verdict === 'nearest-page' && near.length > 0
      ? { verdict, text: writeNearestPage(question, near) }
      : { verdict: 'unanswered', text: writeRefusal(question, missing, near) }
  }

  /** Passages of popular pages recur, and splitting them is most of the work. */
  #readPassage(passage: RetrievedPassage, language: string | null): ReadPassage {
    const key = [language, passage.link, passage.title, ...passage.headings, passage.content].join('\n')
    const known = this.#read.get(key)
    if (known) return { ...known, score: passage.score }
    const read = readPassage(passage, language)
    if (this.#read.size >= readPassagesMax) this.#read.clear()
    this.#read.set(key, read)
    return read
  }
}

/** An item that is nothing but a link to a section. */
const sectionItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^\n]{1,300}\]\(([^()\s#]{0,500})#[^()\s]{1,300}\)[ \t]*$/

/** A page's list of its own sections has the words of all of them, and answers only what the page is about. */
function dropContents(passage: RetrievedPassage): RetrievedPassage {
  const { content, path } = passage
  const own = encodeURI(path)
  const isOwn = (line: string) => {
    const target = sectionItem.exec(line)?.[1] ?? ''
    // Without the address of the site, the end of a path is that of other pages as well.
    return target === own || (own !== '/' && target.includes('://') && target.endsWith(own))
  }
  const lines = content.includes('#') ? content.split('\n') : []
  return lines.some(isOwn) ? { ...passage, content: lines.filter((line) => !isOwn(line)).join('\n') } : passage
}

/** Only the name, because the instructions may also say what not to talk about. */
function readSiteName(instructions: string): string {
  return /\bdocumentation "([^"]*)"/.exec(instructions)?.[1] ?? ''
}

function listNear(passages: readonly RetrievedPassage[]): RetrievedPassage[] {
  const pages = new Map<string, RetrievedPassage>()
  for (const passage of passages) {
    if (passage.score >= nearScoreMin && !pages.has(passage.path)) pages.set(passage.path, passage)
  }
  return [...pages.values()].slice(0, nearMax)
}
