import { analyzeQuery, type QueryWord } from '../../base/text-analysis/analyze-text.ts'
import { findSentences } from '../../base/text-analysis/find-sentences.ts'
import { sayPlainly } from '../../base/text-analysis/say-plainly.ts'
import { readPastedError } from '../../base/text-analysis/read-pasted-error.ts'
import { isProperName } from '../../base/text-analysis/is-proper-name.ts'
import { guessLanguage } from '../../base/text-analysis/guess-language.ts'

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
  /** A name or an identifier: a page without it cannot be the answer. */
  isName: boolean
  /** How significant it is: 1, less for words that occur in any question. */
  weight: number
  /** Up to 1: how rare it is on the site; 1 if unknown. */
  rarity: number
  /** Whether no passage of the site contains it; false if unknown. */
  isAbsent: boolean
  /** The word before it in a name, as in `AI SDK 5` and `Google Docs`; else null. */
  nameBefore: string | null
  /** From an error that was pasted, which repeats names of the reader's own program. */
  isPasted: boolean
}

export interface Question {
  text: string
  kind: QuestionKind
  words: AskedWord[]
  /** BCP 47, guessed from the function words; null if unknown. */
  language: string | null
}

/** The beginning of a longer text is taken as the question. */
export const questionCharsMax = 1_000
const wordsMax = 24

const kindPatterns: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'default',
    /\bdefaults?\b|\bout of the box\b|\bif (?:i|we|you|one) (?:change|set|configure|specify|choose)s? nothing\b|\bby default\b|\bstandardmäßig\b|\bpar défaut\b|\bpor defecto\b|默认|既定/iu,
  ],
  [
    'amount',
    /\bhow (?:many|much|long|large|big|often|fast|old|far|frequently)\b|\b(?:limits?|maximum|minimum|max|min|quota|price|cost|size|timeout|lifetime|duration|expir\w+)\b|^\s*when\b|\b(?:since|until) when\b|\bwie (?:viele?|lange|gross|groß|oft)\b|\bcombien\b|\bcuánt[oa]s?\b/iu,
  ],
  ['reason', /^\s*why\b|\bwhat (?:causes|happens)\b|\bwarum\b|\bpourquoi\b|\bpor qué\b|为什么/iu],
  [
    'example',
    /\b(?:examples?|code (?:snippet|sample)s?|syntax)\b|\bwhat (?:is the )?command\b|\bwhich command\b|\bbeispiel\b|\bejemplo\b/iu,
  ],
  [
    'procedure',
    /\bhow (?:do|can|to|should|would|could|does one|might)\b|\bsteps? (?:to|for)\b|\bguide (?:to|for)\b|\bwie (?:kann|mache|richte|füge|stelle|lösche|ändere|man)\b|^\W*(?:comment|c[oó]mo|come)\b|如何|怎么|怎样|方法|どうやって/iu,
  ],
  ['place', /^\s*where\b|\bwhich (?:file|page|folder|directory)\b|\bwo\b|\boù\b|\bdónde\b/iu],
  [
    'list',
    /^\s*which \p{L}+[^siu]s\b|\b(?:differences?|compare|comparison|versus|vs|list|which .+ (?:are there|exist|are supported|are available|can i)|what .+ (?:are there|exist|are supported|are available|can i)|kinds of|types of)\b/iu,
  ],
  [
    'definition',
    /^\s*(?:what(?:'s|’s| is| are| does)|who (?:is|are)|define|meaning of|explain)\b|\bwas (?:ist|sind)\b|\bqu'est-ce\b|\bqué (?:es|son)\b|是什么|とは/iu,
  ],
]

/** Words that occur in questions about anything. */
const weakWords = new Set(
  `use using used need needs want wants work works working make makes making get gets getting way ways possible allow allows
  allowed set setting support supports supported supporting available exist exists happen happens thing things help explain
  tell describe mean means meaning show different difference doc docs documentation page pages site feature features
  guide steps step example examples kind type types best recommended option options available able exactly actually own new
  there currently long large big many much often default behavior behaviour go put take one start handle fix solve resolve see look method
  methods per number amount total maximum minimum max min largest smallest longest shortest biggest higher lower better
  good bad more less come comes coming now already yet nothing anything something also another other
  instead inside actually just still one every each without`.split(/\s+/),
)

/** Words of everyday speech, which pages say in other words or not at all. */
const everydayWords = new Set(
  `let lets leave leaves keep keeps kept give gives given bring brings came went gone going goes getting got done doing say
  says saying tell told know knows known think asks asked asking seem seems looks looking looked turn turns turned wait waits
  waiting hear hold holds happened become becomes try tries tried trying serve send sends sent pick picks build call called
  calls mark touch play speak hand carry decide decides forget forgot break breaks broke broken lost lose loses miss mess
  mistake mistakes accident trouble hurt fine easy easily hard quick quickly slow slowly away back again once twice never ever
  always sometimes usually almost nearly near far close closer behind ahead around along together apart everything everyone
  everybody everywhere anyone anybody anywhere someone somebody somewhere nobody none else otherwise whatever whichever
  whenever whoever rather quite really simply only even first second third last next two three four five six seven eight nine
  ten both several few half single double day days week weeks month months year years hour hours minute minutes seconds today
  tomorrow night morning evening moment while people person man men woman women friend friends colleague colleagues boss team
  customer customers folks stranger strangers place part parts side bit lot lots things stuff matter sort piece pieces word
  words bigger small smaller little short shorter newer old older same similar common normal usual real true whole nice pretty
  clean proper right wrong free extra certain clear plain simple enough ready sure finish finishes finished begin begins
  beginning end ends ended ending stay stays live lives necessary require required ago since until before after during behave
  behaves appear appears accept accepts complain complains notice notices`.split(/\s+/),
)
const everydayWeight = 0.55

/** Those that ask for a measure or a value. */
const measureWords = new Set(
  'number amount total maximum minimum max min largest smallest longest shortest biggest higher lower long large big many much often default per'.split(
    ' ',
  ),
)

const weakWeight = 0.3
/** Relative to the words of the sentences that ask, and how many of those say enough. */
const backgroundWeight = 0.5
const askedWordsMin = 2
/** Relative to the words that a reader wrote around it. */
const pastedWeight = 0.5

/** Says more than the words around it. */
const errorCode = /^E[A-Z\d]{3,}$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/
const codeWeight = 2
const ofAnyError =
  /^(?:err|errors?|errno|codes?|exceptions?|fatal|fail(?:ed|ure)?|unable|could|cannot|warn(?:ing)?|found)$/i

/** `APIs` and `PRs` are plurals of abbreviations. */
const pluralAbbreviation = /(?<![\p{L}\p{N}])(\p{Lu}{2,})s(?![\p{L}\p{N}])/gu

export function readQuestion(text: string): Question {
  const pasted = readPastedError(text)
  if (pasted === null) return readOwnWords(text)
  const own = readOwnWords(pasted.own)
  const message = readOwnWords(pasted.message)
  const isTold = own.words.some(({ weight }) => weight === 1)
  const words = message.words.map((word) => readPastedWord(word, isTold))
  const kind = own.kind === 'fact' ? 'reason' : own.kind
  const language = own.language ?? message.language
  return { text: own.text || message.text, language, kind, words: [...own.words, ...words].slice(0, wordsMax) }
}

/** Words of text that is not the reader's: what the site does not know of it does not count. */
export function readPastedWords(text: string): AskedWord[] {
  return readOwnWords(text).words.map((word) => readPastedWord(word, false))
}

/** The reader's own words have priority. A page need not contain the names of their program. */
function readPastedWord(word: AskedWord, isTold: boolean): AskedWord {
  const { surface } = word
  const asked = isTold ? word.weight * pastedWeight : word.weight
  const weight = errorCode.test(surface) ? codeWeight : ofAnyError.test(surface) ? weakWeight : asked
  return { ...word, isName: false, nameBefore: null, isPasted: true, weight }
}

function readOwnWords(text: string): Question {
  const cut = text.slice(0, questionCharsMax)
  const language = guessLanguage(cut)
  const plain = sayPlainly(cut)
  const words = analyzeQuery(plain.replace(pluralAbbreviation, '$1'), language, wordsMax).flatMap((word) =>
    readWord(word, plain, language),
  )
  return {
    text: cut,
    kind: readKind(cut),
    words: lowerBackground(raiseMatter(raiseCircumstances(words, plain)), plain),
    language,
  }
}

/** What leads up to a question, as in "We use X. How do I …?", matters less than what it asks, if that says enough. */
function lowerBackground(words: readonly AskedWord[], text: string): AskedWord[] {
  const sentences = findSentences(text).map(({ start, end }) => text.slice(start, end).toLowerCase())
  const asking = sentences.filter((sentence) => /[?？]\W*$/u.test(sentence)).join(' ')
  const isAsked = ({ surface }: AskedWord) => asking.includes(surface.toLowerCase())
  const askedCount = words.filter((word) => word.weight === 1 && isAsked(word)).length
  if (askedCount < askedWordsMin) return [...words]
  return words.map((word) =>
    isAsked(word) ? word : { ...word, weight: word.weight * backgroundWeight, isName: false, nameBefore: null },
  )
}

/** "Can I run it without a model?" asks for nothing but the model. */
function raiseCircumstances(words: readonly AskedWord[], question: string): AskedWord[] {
  if (words.some(({ weight }) => weight === 1)) return [...words]
  return words.map((word) => (isCircumstance(word.surface, question) ? { ...word, weight: 1 } : word))
}

/** If all words are that common, those that ask for no measure count in full. */
function raiseMatter(words: readonly AskedWord[]): AskedWord[] {
  if (words.some(({ weight }) => weight !== weakWeight)) return [...words]
  return words.map((word) => (measureWords.has(word.surface.toLowerCase()) ? word : { ...word, weight: 1 }))
}

function readKind(text: string): QuestionKind {
  return kindPatterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fact'
}

/** A run of a script without spaces is one word to the analysis, so each of its n-grams counts by itself. */
function readWord(word: QueryWord, question: string, language: string | null): AskedWord[] {
  const { surface, wholes, parts } = word
  if (isUnspaced(surface)) {
    const weight = 1 / parts.length
    return parts.map((part) => ({ ...unknownWord, surface: part, wholes: [], parts: [part], isName: false, weight }))
  }
  const nameBefore = findReleased(surface, question) ?? findNameBefore(surface, question, language)
  const isName =
    nameBefore !== null ||
    errorNumber.test(surface) ||
    (wholes.length > 0 && !plainCompound.test(surface)) ||
    isProperName(surface, question, language)
  const isWeak = nameBefore === null && (weakWords.has(surface.toLowerCase()) || isCircumstance(surface, question))
  const isEveryday = !isName && everydayWords.has(surface.toLowerCase())
  const weight = isWeak ? weakWeight : isEveryday ? everydayWeight : 1
  return [{ ...unknownWord, surface, wholes, parts, isName: isName && !isWeak, weight, nameBefore }]
}

const unknownWord = { rarity: 1, isAbsent: false, nameBefore: null, isPasted: false }
/** `Retry-After` and `--flag` are names, `logged-in` is not. */
const plainCompound = /^\p{Ll}+(?:[-'’]\p{Ll}+)+$/u
/** A status or a port, which identifies what is meant. */
const errorNumber = /^\d{3,}$/

/** What something should be done without is rarely mentioned where the docs explain how to do it. */
function isCircumstance(surface: string, question: string): boolean {
  return /\b(?:without|ohne|sans|sin|sem|senza)\s+(?:\p{L}+\s+)?$/iu.test(question.slice(0, question.indexOf(surface)))
}

export function isUnspaced(text: string): boolean {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(text)
}

/** The first word of a name whose second word this is. All-capital words are abbreviations in their own right. */
function findNameBefore(surface: string, question: string, language: string | null): string | null {
  if (!/^\p{Lu}\p{Ll}+$/u.test(surface) || !isProperName(surface, question, language)) return null
  const before = question.slice(0, question.indexOf(surface))
  const name = /(?:^|\s)(\p{Lu}[\p{L}\p{N}]+)\s+$/u.exec(before)?.[1] ?? null
  return name !== null && isProperName(name, question, language) ? name : null
}

/** The number after a name, as in "Node 18": pages about another release answer something else. */
function findReleased(surface: string, question: string): string | null {
  if (!/^v?\d+(?:\.\d+)*$/iu.test(surface)) return null
  const before = question.slice(0, question.indexOf(surface))
  return /(\p{Lu}[\p{L}\p{N}.-]*|\bversion|\brelease)\s+$/u.exec(before)?.[1] ?? null
}
