import { createRequire } from 'node:module'
import { stopwords as englishStopWords } from '@orama/stopwords/english'
import { stemEnglish } from './stem-english.ts'

/** Language-specific rules for text analysis. */
export interface LanguageAnalysis {
  stem(word: string): string
  /** Folded by `foldWord`, without apostrophes. */
  stopWords: ReadonlySet<string>
  /** Whether an apostrophe ends a word, as in `l'accès`. */
  hasElision: boolean
}

/** Primary subtags that documentation uses, with their stemmers. Chinese, Japanese and the like need none: they are cut into n-grams. */
const stemmerNames: Readonly<Record<string, string>> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'indian',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  nb: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}
const elidingLanguages = new Set(['fr', 'it', 'ca'])

/** Missing from the published list, or left over when contractions lose their apostrophe. */
const furtherEnglishStopWords = [
  'a',
  'im',
  'ive',
  'id',
  'youd',
  'theres',
  'whats',
  'hows',
  'lets',
  'dont',
  'cant',
  'please',
]

/** What `she'll` becomes (`shell`) is a word that documentation uses. */
const isTelling = (word: string): boolean => /^she['’]?ll$/.test(word)

const loadModule = createRequire(import.meta.url)
const loaded = new Map<string, LanguageAnalysis>()

const english: LanguageAnalysis = {
  stem: stemEnglish,
  stopWords: buildStopWords([...englishStopWords.filter((word) => !isTelling(word)), ...furtherEnglishStopWords]),
  hasElision: false,
}

/** Normalises, lower-cases and strips diacritics, so that `Café` equals `cafe`. */
export function foldWord(word: string): string {
  return foldAccents(word.toLowerCase())
}

/** Without diacritics, in its own case. */
export function foldAccents(text: string): string {
  // eslint-disable-next-line no-control-regex -- ASCII is the common case, and normalisation is most of the cost.
  return /^[\x00-\x7f]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{Mn}/gu, '')
        .normalize('NFC')
}

function buildStopWords(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map((word) => foldWord(word).replace(/['’]/g, '')))
}

/**
 * Stemmers load on first use: a site has one or two languages out of thirty.
 *
 * @param language BCP 47 tag such as `en` or `pt-BR`. Null, unknown and unstemmed languages use English, because technical
 *   terms are English everywhere.
 */
export function getLanguageAnalysis(language: string | null): LanguageAnalysis {
  const subtag = readSubtag(language ?? 'en')
  const name = Object.hasOwn(stemmerNames, subtag) ? stemmerNames[subtag] : undefined
  if (name === undefined) return english
  const known = loaded.get(subtag)
  if (known) return known
  // The packages declare exactly these exports for every language above.
  const { stemmer } = loadModule(`@orama/stemmers/${name}`) as { stemmer: (word: string) => string }
  const { stopwords } = loadModule(`@orama/stopwords/${name}`) as { stopwords: string[] }
  const analysis = { stem: stemmer, stopWords: buildStopWords(stopwords), hasElision: elidingLanguages.has(subtag) }
  loaded.set(subtag, analysis)
  return analysis
}

/** @param language BCP 47 tag such as `en-GB`; null if unknown. */
export function isEnglish(language: string | null): boolean {
  return language !== null && readSubtag(language) === 'en'
}

function readSubtag(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? 'en'
}
