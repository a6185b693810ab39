import { cutPastedError } from '../../base/text-analysis/read-pasted-error.ts'
import { getLanguageAnalysis } from '../../base/text-analysis/language-analysis.ts'
import type { Conversation } from './read-conversation.ts'
import { type PageReference, readPageReference } from './read-page-reference.ts'
import { type AskedWord, type Question, questionCharsMax, readPastedWords, readQuestion } from './read-question.ts'

/** Refers back to something that was said before. */
const refersBack =
  /\b(?:it|its|this|that|these|those|they|them|their|there|same|instead|also|too|one|ones|former|latter)\b|^\s*(?:and|or|but|what about|how about|ok|okay|then|so|why|why not)\b|\b(?:das|dies\w*|es|dort|cela|ça|eso|esto|isso|ello)\b/iu
/** In a conversation, a question with fewer significant words depends on earlier ones. */
const tellingWordsMin = 2
const carriedWordsMax = 6
/** How far back a chain of follow-ups is traced. */
const turnsBackMax = 4
/** Weight of a carried word, relative to one of the question itself. */
const carriedWeight = 0.8

/** A question with the words that it inherits from earlier turns. */
export interface QuestionInContext extends Question {
  carried: AskedWord[]
  /** The search query. */
  searchText: string
  /** What it asks about the reader's page; null if it is about the site. */
  pageReference: PageReference | null
}

/**
 * Reads the newest question. A follow-up, which is short or refers back, inherits the significant words of earlier turns,
 * back to the last self-contained one, and the kind of answer they asked for.
 */
export function readInContext({
  question,
  earlierQuestions,
  searchedFor,
}: Pick<Conversation, 'question' | 'earlierQuestions' | 'searchedFor'>): QuestionInContext {
  const pageReference = readPageReference(question)
  const own = readQuestion(pageReference?.subject || question)
  const carried: AskedWord[] = []
  let { kind } = own
  let isFollowUp = pageReference === null && dependsOnEarlier(own)
  for (const earlier of earlierQuestions.slice(0, turnsBackMax)) {
    if (!isFollowUp) break
    const before = readQuestion(earlier)
    if (kind === 'fact') kind = before.kind
    carried.push(...before.words.filter((word) => word.weight === 1))
    isFollowUp = dependsOnEarlier(before)
  }
  const known = new Set(own.words.map(wordKey))
  const added = carried
    .filter((word) => !known.has(wordKey(word)) && known.add(wordKey(word)))
    .slice(0, carriedWordsMax)
    .map((word) => ({ ...word, weight: word.weight * carriedWeight, isName: false }))
  const asked = cutPastedError(question)
  const searchText = [asked.slice(0, questionCharsMax), ...added.map(({ surface }) => surface)].join(' ')
  const selection = readSelection(asked, searchedFor[0] ?? '')
  const selected = selection === '' || isTelling(question) ? [] : readPastedWords(selection)
  return { ...own, kind, words: [...own.words, ...added, ...selected], carried: added, searchText, pageReference }
}

/** Of what the reader has selected, what was searched for behind the question. */
function readSelection(asked: string, searched: string): string {
  return searched.startsWith(`${asked}\n`) ? searched.slice(asked.length) : ''
}

/** Whether a question itself says what it is about, unlike "why does this not work?". */
export function isTelling(question: string): boolean {
  const { text, words, language } = readQuestion(question)
  return !hasOnlyStopWords(text, language) && words.filter(isSubject).length >= tellingWordsMin
}

/** "Look", "wrong" and "code" are in questions about any code. */
const isSubject = ({ weight, surface }: AskedWord): boolean => weight === 1 && !aboutAnyCode.test(surface)
const aboutAnyCode =
  /^(?:code|snippet|wrong|fails?|failing|broken|right|correct|shown|error|issue|problem|here|change)$/i

function dependsOnEarlier({ text, words, language }: Question): boolean {
  if (hasOnlyStopWords(text, language)) return true
  const telling = words.filter(({ weight }) => weight === 1)
  return refersBack.test(text) ? telling.length <= 3 : telling.length < tellingWordsMin
}

/** The text analysis keeps function words if there are no others: `not in` may be the query. */
function hasOnlyStopWords(text: string, language: string | null): boolean {
  const { stopWords } = getLanguageAnalysis(language)
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => stopWords.has(word))
}

function wordKey({ wholes, parts }: AskedWord): string {
  return [...wholes, ...parts].join(' ')
}

/** Whether the question, with the words it inherits, has been searched for. */
export function isSearched({ searchedFor }: Conversation, { carried }: QuestionInContext): boolean {
  return searchedFor.some((query) => carried.every(({ surface }) => query.includes(surface)))
}

/**
 * The query for a follow-up without a model: the question and the significant words of earlier turns.
 *
 * @param earlierQuestions Newest first.
 * @returns Null if the question is self-contained.
 */
export function readFollowUp(question: string, earlierQuestions: readonly string[]): { searchText: string } | null {
  if (
    earlierQuestions.length === 0 ||
    readPageReference(question) !== null ||
    !dependsOnEarlier(readQuestion(question))
  )
    return null
  return {
    searchText: readInContext({ question, earlierQuestions: [...earlierQuestions], searchedFor: [] }).searchText,
  }
}
