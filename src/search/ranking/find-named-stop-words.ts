import { analyzeQueryWords, analyzeText, type QueryWord } from '../../base/text-analysis/analyze-text.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { queryCharsMax, type QueryTerm } from '../query-terms.ts'
import { getPageNames } from './page-names.ts'
import { rarityWeight } from './score-chunks.ts'
import type { SearchScope } from './search-scope.ts'

/** A term in the names of pages, with its rarity among pages. */
export type NamedTerm = Pick<QueryTerm, 'term' | 'word' | 'naming'> & { idf: number }

type Word = QueryWord & { isStopWord: boolean }

/** Of a word that more pages are named by, only the first are compared with the query. */
const comparedPagesMax = 20
const wordsMax = 64

/**
 * The stop words of a query, for the names of pages. One that is meant as the name of a page weighs as much as that is
 * rare: "the `for` statement", "and operator", "where". All others weigh nothing, and only complete longer names.
 *
 * A stop word is meant as a name if a page that the reader may see has no other name, and the word is in quotes or
 * backticks, beside another word of that page's title or path, or with at most one word that is no stop word. So a page
 * called "for" is not the topic of every question with a "for" in it.
 */
export function findNamedStopWords(
  index: IndexFile,
  scope: SearchScope,
  query: string,
  language: string | null,
): NamedTerm[] {
  const text = query.slice(0, queryCharsMax)
  const words = analyzeQueryWords(text, language, wordsMax)
  const isShort = words.filter(({ isStopWord }) => !isStopWord).length <= 1
  return words.flatMap((word, place) => {
    const term = word.parts[0]
    if (!word.isStopWord || term === undefined) return []
    const pages = listNamedPages(index, scope, term)
    const isBesideOwn = (page: number) => isBeside(index, page, words, place)
    const isMeant = isShort || isQuoted(text, word.surface) || pages.slice(0, comparedPagesMax).some(isBesideOwn)
    const idf = isMeant && pages.length > 0 ? rarityWeight(pages.length, scope.visible.count) : 0
    // Numbered below all other words.
    return [{ term, word: -2 - place, naming: 1, idf }]
  })
}

/** The visible pages whose title or last part of the path is this term alone. */
function listNamedPages(index: IndexFile, { pageLengths }: SearchScope, term: string): number[] {
  const names = getPageNames(index).byTerm.get(term) ?? []
  const own = names.filter(({ page, termCount }) => termCount === 1 && (pageLengths[page] ?? 0) > 0)
  return [...new Set(own.map(({ page }) => page))]
}

const isQuoted = (text: string, word: string) =>
  ['`', '"', "'"].some((quote) => text.includes(`${quote}${word}${quote}`))

/** Whether the word before or after belongs to the title or path of the page. */
function isBeside(index: IndexFile, page: number, words: readonly Word[], place: number): boolean {
  const { title = '', path = '', language = null } = index.pages[page] ?? {}
  const terms = new Set(analyzeText(`${title} ${path}`, language).map(({ term }) => term))
  return [words[place - 1], words[place + 1]].some(
    (word) => word !== undefined && !word.isStopWord && word.parts.some((part) => terms.has(part)),
  )
}
