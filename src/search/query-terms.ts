import { analyzeQuery, type QueryWord } from '../base/text-analysis/analyze-text.ts'
import { isProperName } from '../base/text-analysis/is-proper-name.ts'
import { guessOtherLanguage, isFunctionWord } from '../base/text-analysis/guess-language.ts'
import { isEnglish } from '../base/text-analysis/language-analysis.ts'
import { sayPlainly } from '../base/text-analysis/say-plainly.ts'
import { listEnglishTerms, translateToEnglish } from '../base/text-analysis/translate-to-english.ts'

/** A term that a query searches for. */
export interface QueryTerm {
  term: string
  /** The query word it belongs to, from 0; -1 for a call, which repeats a word. */
  word: number
  /** Factor on its share of the score. */
  weight: number
  /** How much of its word it covers in the name of a page; 0 for a call. */
  naming: number
  /** The term of the word as typed, if this one is a correction. */
  typed?: string
}

export interface QueryTerms {
  /** Distinct, in order of first use. */
  terms: QueryTerm[]
  /**
   * Words as typed, by number. Names are never corrected, because a site need not know the products that readers name.
   */
  words: { surface: string; kind: 'plain' | 'identifier' | 'name' }[]
}

/** Longer queries are pasted logs, whose beginning says what they are about. */
export const queryCharsMax = 4000

/** A translation is a guess, and often several words. Names that both languages share are not translated. */
const translatedWeight = 0.6

/** Function words of another language would be taken for misspelled words of the site. */
function dropFunctionWords(words: QueryWord[], other: string | null): QueryWord[] {
  if (other === null) return words
  const telling = words.filter(({ surface }) => !isFunctionWord(surface, other))
  return telling.length > 0 ? telling : words
}

/**
 * @param language Of the pages that are searched; selects the stemmer.
 * @param written The language that they are known or seen to be written in. English pages are searched for the English
 *   terms of a question in another language.
 */
export function listQueryTerms(text: string, language: string | null, written: string | null = language): QueryTerms {
  const asked = guessOtherLanguage(text)
  const cut = text.slice(0, queryCharsMax)
  const isTranslated = asked !== null && isEnglish(written)
  const read = isTranslated ? translateToEnglish(cut, asked) : sayPlainly(cut)
  const words = dropFunctionWords(analyzeQuery(read, language), asked)
  const translated = new Set(isTranslated ? listEnglishTerms(cut, asked).flatMap((term) => term.split(' ')) : [])
  const terms = new Map<string, QueryTerm>()
  words.forEach(({ surface, wholes, parts }, word) => {
    const weight = translated.has(surface) ? translatedWeight : 1
    const add = (term: string, naming: number) => terms.has(term) || terms.set(term, { term, word, weight, naming })
    for (const whole of wholes) add(whole, 1)
    parts.forEach((part, place) => add(part, shareOfPart(wholes, parts, place)))
  })
  return {
    terms: [...terms.values()],
    // Words left over from a translated question are not misspelled English.
    words: words.map((word) => ({
      surface: word.surface,
      kind: isTranslated && word.wholes.length === 0 ? 'name' : readKind(word, text, asked),
    })),
  }
}

function readKind(
  { surface, wholes }: QueryWord,
  text: string,
  asked: string | null,
): QueryTerms['words'][number]['kind'] {
  if (wholes.length > 0) return 'identifier'
  return isProperName(surface, text, asked) ? 'name' : 'plain'
}

/** `client.find` is about `find` more than about `client`. N-grams of a script without spaces are alike. */
function shareOfPart(wholes: readonly string[], parts: readonly string[], place: number): number {
  if (wholes.length === 0) return 1 / parts.length
  return place === parts.length - 1 ? 1 : 0.5
}
