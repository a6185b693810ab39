import { foldWord, getLanguageAnalysis } from './language-analysis.ts'

const guessedLanguages = ['en', 'de', 'es', 'fr', 'pt', 'it', 'nl', 'ru', 'sv']
/** Signs that tell neighbours apart; the lists of function words have no accents, and share many words. */
const signs: Readonly<Record<string, RegExp>> = {
  de: /[ßäöü]/,
  es: /[ñ¿¡]|\b(?:el|los|con|del)\b/,
  fr: /[èêçœ]|\b(?:le|les|des|est)\b/,
  pt: /[ãõ]|\b(?:com|um|uma|em)\b/,
  sv: /å/,
}
/** Scripts that one language of documentation is written in; Japanese before Chinese, whose characters it uses too. */
const scripts: readonly (readonly [language: string, script: RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['zh', /\p{sc=Han}/u],
  ['ko', /\p{sc=Hangul}/u],
  ['ru', /\p{sc=Cyrillic}/u],
  ['ar', /\p{sc=Arabic}/u],
  ['he', /\p{sc=Hebrew}/u],
  ['el', /\p{sc=Greek}/u],
  ['hi', /\p{sc=Devanagari}/u],
  ['th', /\p{sc=Thai}/u],
]
/** Holds all letters of those scripts, and halves of the rarer ones. */
const beyondLatin = /[\u0300-\uffff]/
const textCharsMax = 4_000
/** Beginning in lower case: names have accents in English, too. */
const accentedWord = /(?<![\p{L}\p{M}])\p{Ll}*[à-öø-ÿ]/u

/**
 * The language of a text, BCP 47: that of its script, else the one whose function words make up most of it. English on
 * a tie, null if there are no function words.
 */
export function guessLanguage(text: string): string | null {
  const words = listWords(text)
  return guessByScript(words) ?? guessByFunctionWords(words, text.slice(0, textCharsMax).toLowerCase())
}

/** Without identifiers such as `v2` and hashes. */
function listWords(text: string): string[] {
  const words =
    text
      .slice(0, textCharsMax)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => !/\p{N}/u.test(word))
}

/** Documentation quotes names in other scripts, so a script must make up a good part of the words. */
function guessByScript(words: readonly string[]): string | null {
  if (!words.some((word) => beyondLatin.test(word))) return null
  for (const [language, script] of scripts) {
    const count = words.filter((word) => script.test(word)).length
    if (count > 0 && count * 5 >= words.length) return language
  }
  return null
}

function guessByFunctionWords(words: readonly string[], text: string): string | null {
  const folded = words.map(foldFunctionWord)
  let best: string | null = null
  let most = 0
  for (const language of guessedLanguages) {
    const { stopWords } = getLanguageAnalysis(language)
    const found = folded.filter((word) => stopWords.has(word)).length
    const count = found > 0 && signs[language]?.test(text) === true ? found + 1 : found
    if (count <= most) continue
    best = language
    most = count
    // A question that is plainly English gains nothing from loading more lists.
    if (language === 'en' && count * 3 >= words.length) return best
  }
  return best
}

export function isFunctionWord(word: string, language: string): boolean {
  return getLanguageAnalysis(language).stopWords.has(foldFunctionWord(word))
}

const foldFunctionWord = (word: string): string => foldWord(word).replace(/['’]/g, '')

/** Fewer function words may be a coincidence: `comment` is French, and English. An accent counts as one. */
const certainWordsMin = 2

/** The language of a text if it is certainly not English, else null. */
export function guessOtherLanguage(text: string): string | null {
  const language = guessLanguage(text)
  if (language === null || language === 'en') return null
  const words = listWords(text)
  if (guessByScript(words) !== null) return language
  const own = words.filter((word) => isFunctionWord(word, language) && !isFunctionWord(word, 'en'))
  const accents = accentedWord.test(text.slice(0, textCharsMax)) && own.length > 0 ? 1 : 0
  return new Set(own).size + accents >= certainWordsMin ? language : null
}
