import { listRelatives } from '../../base/text-analysis/word-families.ts'
import { stemEnglish } from '../../base/text-analysis/stem-english.ts'

/** The words of a statement that carry its meaning, each with how it is written. */
export interface Statement {
  words: readonly string[]
  /** Words in code, names and numbers: other words cannot stand for them. */
  exact: ReadonlySet<string>
}

const codeSpan = /`([^`]+)`/g
const word = /[\p{L}\p{N}\p{M}$@][\p{L}\p{N}\p{M}_$@%+#°]*(?:[-./:'’][\p{L}\p{N}\p{M}_$@%]+)*%?/gu
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u
const exactWord = /\p{N}|[_/:@$]|\p{Ll}\p{Lu}|^\p{Lu}{2,}/u
const negators = new Set(
  'not no never none neither nor without cannot nicht kein keine keinen nie ohne pas jamais sans sin nunca non не нет не'.split(
    ' ',
  ),
)
const contracted = /n['’]t$/

const opposites = new Map(
  `enabled disabled|enable disable|enables disables|true false|always never|required optional|must may|allow deny|allows denies
allowed denied|allowed forbidden|before after|minimum maximum|min max|on off|public private|first last|include exclude
includes excludes|more less|more fewer|above below|increase decrease|increases decreases|supported unsupported|all none
yes no|start stop|starts stops|add remove|adds removes|accepts rejects|accept reject|synchronous asynchronous|can cannot
read write|internal external|earlier later|older newer|shown hidden|lower higher|upper lower|up down|left right|only any
safe unsafe|stable unstable|valid invalid|with without|ascending descending|automatic manual|automatically manually`
    .split(/[|\n]/)
    .flatMap((pair) => {
      const [one = '', other = ''] = pair.split(' ')
      return [[one, other] as const, [other, one] as const]
    }),
)

/** @param isCode Whether all of its words are written exactly so. */
export function readStatement(text: string, isCode = false): Statement {
  const inCode = new Set([...text.matchAll(codeSpan)].flatMap(([, code = '']) => listWords(code)))
  const written = listWords(text.replace(/\]\([^()\s]*\)/g, ']'))
  const isExact = (each: string, place: number) =>
    isCode || inCode.has(each) || exactWord.test(each) || (place > 0 && /^\p{Lu}\p{Ll}/u.test(each))
  return {
    words: written.map(fold),
    exact: new Set(written.filter((each, place) => isExact(each, place)).map(fold)),
  }
}

function listWords(text: string): string[] {
  return (text.match(word) ?? []).flatMap((each) => (unspaced.test(each) ? Array.from(each) : [each]))
}

const fold = (each: string) => each.toLowerCase().replaceAll('’', "'")

/** Share of words in common, 0 to 1. */
export function measureLikeness(one: Statement, other: Statement): number {
  const total = one.words.length + other.words.length
  return total === 0 ? 0 : (2 * (one.words.length - subtract(one.words, other.words).length)) / total
}

/**
 * What becomes of a statement that another one replaces: `contradicted` if it now has another value, name or polarity,
 * `lost` if a value or a name is gone, else `altered`.
 *
 * @param isAround Whether a word was written elsewhere in the section at the same time: a sentence may have been divided.
 */
export function compareStatements(
  before: Statement,
  after: Statement,
  isAround: (word: string) => boolean = () => false,
): 'contradicted' | 'lost' | 'altered' {
  const gone = subtract(before.words, after.words).filter((each) => !isAround(each) || negators.has(each))
  const come = subtract(after.words, before.words)
  if (countNegators(before.words) % 2 !== countNegators(after.words) % 2) return 'contradicted'
  if (gone.some((each) => come.includes(opposites.get(each) ?? ''))) return 'contradicted'
  const exactGone = gone.filter((each) => before.exact.has(each) && !isSpelledAlike(each, come))
  if (exactGone.length === 0) return 'altered'
  return come.some((each) => after.exact.has(each)) ? 'contradicted' : 'lost'
}

/** A plural, or the same name written with other signs. */
function isSpelledAlike(each: string, come: readonly string[]): boolean {
  const key = (text: string) =>
    /\p{N}/u.test(text) ? text.replace(/[,_']/g, '') : stemEnglish(text.replace(/[^\p{L}\p{N}]/gu, ''))
  return come.some((other) => key(other) === key(each) || listRelatives(key(each)).has(key(other)))
}

const countNegators = (words: readonly string[]) =>
  words.filter((each) => negators.has(each) || contracted.test(each)).length

function subtract(words: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
  return words.filter((each) => {
    const count = left.get(each) ?? 0
    left.set(each, count - 1)
    return count <= 0
  })
}

const valueWord = /\p{N}/u

/** The statement without what could contradict another one: equal for statements that differ in a value only. */
export function readTemplate({ words }: Statement): string {
  return words
    .filter((each) => !negators.has(each))
    .map((each) => (valueWord.test(each) ? '#' : opposites.has(each) ? nameOpposites(each) : each))
    .join(' ')
}

function nameOpposites(each: string): string {
  const other = opposites.get(each) ?? each
  return each < other ? `${each}/${other}` : `${other}/${each}`
}
