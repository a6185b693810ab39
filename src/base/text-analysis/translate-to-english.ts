import { documentationWords, tableLanguages } from './documentation-words.ts'
import { foldAccents } from './language-analysis.ts'

/** Where words are joined to longer ones, as in `Konfigurationsdatei`. */
const compoundingLanguages = new Set(['de', 'nl'])
const unspacedLanguages = new Set(['ja', 'zh', 'ko'])
/** A shorter beginning would begin too many other words. */
const beginningCharsMin = 5

interface Dictionary {
  /** The English terms of each beginning of a word. */
  terms: ReadonlyMap<string, string>
  /** Whole words with an entry. */
  words: RegExp
  /** Matches the entries within a word. */
  entries: RegExp
}

const dictionaries = new Map<string, Dictionary | null>()

/**
 * Replaces the words of documentation, such as `Datei` or `ファイル`, by their English terms. The rest stays, without
 * accents.
 *
 * @param language BCP 47 tag of the text; text in a language without a list stays as it is.
 */
export function translateToEnglish(text: string, language: string): string {
  const dictionary = getDictionary(language)
  if (dictionary === null) return text
  return foldAccents(text).replace(dictionary.words, (word) => ` ${readWord(word, dictionary)} `)
}

/** The English terms of the known words in a text, one item for each distinct word. */
export function listEnglishTerms(text: string, language: string): string[] {
  const dictionary = getDictionary(language)
  if (dictionary === null) return []
  const words = foldAccents(text).matchAll(dictionary.words)
  return [...new Set(Array.from(words, ([word]) => readWord(word, dictionary)))]
}

function readWord(word: string, { terms, entries }: Dictionary): string {
  const found = word.toLowerCase().match(entries) ?? []
  return [...new Set(found.map((entry) => terms.get(entry) ?? ''))].join(' ')
}

function getDictionary(language: string): Dictionary | null {
  const known = dictionaries.get(language)
  if (known !== undefined) return known
  const column = tableLanguages.findIndex((one) => one === language)
  const dictionary = column < 0 ? null : buildDictionary(language, readColumn(column + 1))
  dictionaries.set(language, dictionary)
  return dictionary
}

function readColumn(column: number): Map<string, string> {
  const terms = new Map<string, string>()
  for (const line of documentationWords.trim().split('\n')) {
    const cells = line.split('|')
    for (const word of foldAccents(cells[column] ?? '')
      .toLowerCase()
      .split(',')) {
      terms.set(word, [terms.get(word), cells[0]].filter(Boolean).join(' '))
    }
  }
  return terms
}

/** Every pattern is a list of literals at the start of a word, so that matching takes linear time. */
function buildDictionary(language: string, terms: ReadonlyMap<string, string>): Dictionary {
  const entries = [...terms.keys()].filter(Boolean).toSorted((one, other) => other.length - one.length)
  const literals = entries.join('|')
  if (unspacedLanguages.has(language)) {
    return { terms, words: new RegExp(literals, 'giu'), entries: new RegExp(literals, 'gu') }
  }
  const beginnings = entries.filter(isBeginning).join('|')
  const short = entries.filter((entry) => !isBeginning(entry)).join('|')
  const inside = compoundingLanguages.has(language) ? `|\\p{L}*?(?:${beginnings})` : ''
  const atStart = `(?:${beginnings})|(?:${short})\\p{L}{0,2}(?!\\p{L})`
  const words = new RegExp(`(?<![\\p{L}\\p{N}])(?:${atStart}${inside})\\p{L}*`, 'giu')
  const found = `^(?:${literals})${inside === '' ? '' : `|(?:${beginnings})`}`
  return { terms, words, entries: new RegExp(found, 'gu') }
}

const isBeginning = (entry: string): boolean => entry.length >= beginningCharsMin
