import { analyzeQuery, type QueryWord } from '../../base/text-analysis/analyze-text.ts'
import { getLanguageAnalysis } from '../../base/text-analysis/language-analysis.ts'

/** What kind of answer a question asks for. */
export type QuestionKind =
  | 'definition'
  | 'procedure'
  | 'amount'
  | 'default'
  | 'reason'
  | 'place'
  | 'example'
  | 'list'
  | 'fact'

/** A word that the question is about. */
export interface AskedWord {
  /** As typed. */
  surface: string
  wholes: readonly string[]
  parts: readonly string[]
  /** A name or an identifier: a page that does not hold it cannot answer to it. */
  isName: boolean
  /** How much it says about what is asked: 1, less for words that stand in any question. */
  weight: number
}

export interface Question {
  text: string
  kind: QuestionKind
  words: AskedWord[]
  /** BCP 47, guessed by the function words; null when unknown. */
  language: string | null
}

/** A longer text is no question; its beginning is taken for one. */
const questionCharsMax = 1_000
const wordsMax = 24

const kindPatterns: readonly (readonly [QuestionKind, RegExp])[] = [
  ['default', /\bdefaults?\b|\bby default\b|\bstandardmäßig\b|\bpar défaut\b|\bpor defecto\b|默认|既定/iu],
  [
    'amount',
    /\bhow (?:many|much|long|large|big|often|fast|old|far|frequently)\b|\b(?:limits?|maximum|minimum|max|min|quota|price|cost|size|timeout|expir\w+)\b|\bwhen\b|\bwie (?:viele?|lange|gross|groß|oft)\b|\bcombien\b|\bcuánt[oa]s?\b/iu,
  ],
  ['reason', /^\s*why\b|\bwhat (?:causes|happens)\b|\bwarum\b|\bpourquoi\b|\bpor qué\b|为什么/iu],
  [
    'example',
    /\b(?:examples?|code (?:snippet|sample)s?|syntax)\b|\bwhat (?:is the )?command\b|\bwhich command\b|\bbeispiel\b|\bejemplo\b/iu,
  ],
  [
    'procedure',
    /\bhow (?:do|can|to|should|would|could|does one|might)\b|\bsteps?\b|\bguide\b|\bwie (?:kann|mache|richte|füge|stelle|lösche|ändere|man)\b|\bcomment\b|\bcómo\b|\bcomo\b|\bcome\b|如何|怎么|怎样|方法|どうやって/iu,
  ],
  ['place', /^\s*where\b|\bwhich (?:file|page|folder|directory)\b|\bwo\b|\boù\b|\bdónde\b/iu],
  [
    'list',
    /\b(?:differences?|compare|comparison|versus|vs|list|which .+ (?:are there|exist|are supported|are available|can i)|what .+ (?:are there|exist|are supported|are available|can i)|kinds of|types of)\b/iu,
  ],
  [
    'definition',
    /^\s*(?:what(?:'s|’s| is| are| does)|who (?:is|are)|define|meaning of|explain)\b|\bwas (?:ist|sind)\b|\bqu'est-ce\b|\bqué (?:es|son)\b|是什么|とは/iu,
  ],
]

/** They say what to do with the matter of the question, and stand in questions about anything. */
const weakWords = new Set(
  `use using used need needs want wants work works working make makes making get gets getting way ways possible allow allows
  allowed set setting support supports supported supporting available exist exists happen happens thing things help explain
  tell describe mean means meaning show different difference doc docs documentation page pages site feature features
  guide steps step example examples kind type types best recommended option options available able exactly actually own new
  there currently long large big many much often default behavior behaviour go put take one start handle fix solve resolve see look method
  methods per number amount total`.split(/\s+/),
)

const weakWeight = 0.3

export function readQuestion(text: string): Question {
  const cut = text.slice(0, questionCharsMax)
  const language = guessLanguage(cut)
  const words = analyzeQuery(cut, language, wordsMax).flatMap((word) => readWord(word, cut, language))
  return { text: cut, kind: readKind(cut), words, language }
}

function readKind(text: string): QuestionKind {
  return kindPatterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fact'
}

/** A run of a script without spaces is one word to the analysis, so each of its n-grams counts by itself. */
function readWord(word: QueryWord, question: string, language: string | null): AskedWord[] {
  const { surface, wholes, parts } = word
  if (isUnspaced(surface)) {
    return parts.map((part) => ({ surface: part, wholes: [], parts: [part], isName: false, weight: 1 / parts.length }))
  }
  const isName = wholes.length > 0 || isProperName(surface, question, language) || isRelease(surface, question)
  const weight = weakWords.has(surface.toLowerCase()) || isCircumstance(surface, question) ? weakWeight : 1
  return [{ surface, wholes, parts, isName: isName && weight === 1, weight }]
}

/** What a thing is to be done without seldom stands where it is told how to do it. */
function isCircumstance(surface: string, question: string): boolean {
  return /\b(?:without|ohne|sans|sin|sem|senza)\s+(?:\p{L}+\s+)?$/iu.test(question.slice(0, question.indexOf(surface)))
}

export function isUnspaced(text: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(text)
}

/** The number behind a name, as in "Node 18": pages about another release answer something else. */
function isRelease(surface: string, question: string): boolean {
  if (!/^v?\d+(?:\.\d+)*$/iu.test(surface)) return false
  return /(?:\p{Lu}[\p{L}\p{N}.-]*|\bversion|\brelease)\s+$/u.test(question.slice(0, question.indexOf(surface)))
}

/** Capitals say nothing at the start of a sentence, in a title, and in German, where every noun has one. */
function isProperName(surface: string, question: string, language: string | null): boolean {
  if (/\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|\p{Lu}{2}/u.test(surface)) return true
  if (!/^\p{Lu}/u.test(surface) || language === 'de' || isTitleCase(question)) return false
  const before = question.slice(0, question.indexOf(surface)).trimEnd()
  return before !== '' && !/[.!?:]["'”’)]?$/.test(before)
}

function isTitleCase(question: string): boolean {
  const words = question.match(/\p{L}+/gu) ?? []
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length / 2
}

const guessedLanguages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'ru', 'sv']

/** The language whose function words make up most of the text; English on a tie, null when there is none of any. */
function guessLanguage(text: string): string | null {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  let best: string | null = null
  let most = 0
  for (const language of guessedLanguages) {
    const { stopWords } = getLanguageAnalysis(language)
    const count = words.filter((word) => stopWords.has(word)).length
    if (count <= most) continue
    best = language
    most = count
    // Loading further lists costs more than a question that is plainly English can gain.
    if (language === 'en' && count * 3 >= words.length) return best
  }
  return best
}
