import { say } from '../../../words/say.ts'
import type { Command } from './command.ts'

export interface RankContext {
  /** Site of the page that is shown. */
  siteId: string | null
  /** Ids of commands, the newest first. */
  recent: readonly string[]
}

/** Most commands that are shown. */
const rankedMax = 12

/**
 * The commands that a query means, best first. Words may be in any order, abbreviated or misspelled. Words that no command
 * has, such as the name of a colleague, are left out. Half of the others are enough to find a command, or any of them if
 * no command has half, but the more of them it has, the better it is.
 *
 * Pure and linear in the number of commands.
 */
export function rankCommands(commands: readonly Command[], query: string, context: RankContext): Command[] {
  const allWords = new Set(commands.flatMap((command) => readParts(command).flat()))
  const typed = readTyped(query, allWords).filter((word) => bestMatch(word, allWords) > 0)
  if (typed.length === 0) return []
  const found = commands
    .map((command) => ({ command, ...scoreCommand(command, typed, context) }))
    .filter(({ known }) => known > 0)
  const likely = found.filter(({ known }) => known >= 0.5)
  return (likely.length === 0 ? found : likely)
    .toSorted((a, b) => b.score - a.score || a.command.label.length - b.command.label.length)
    .slice(0, rankedMax)
    .map(({ command }) => command)
}

/** Words that say nothing about the wanted command. */
const emptyWords = new Set(
  readWords(
    say(
      'a an the my our this that to of for in on at with and or do does is are i we how where why what when was did were been has have will would should could must need want let got someone much many any all some please can change edit set show open view see go get manage me it its which last back something use own us them they their s ll re ve',
    ),
  ),
)

/** Longest query that is looked at. */
const typedMax = 10

/** A typed word, and its alternatives. */
interface TypedWord {
  word: string
  alike: ReadonlySet<string>
  /** Below 1 for what is done or wrong, which says less than what it is done to: `stop` beside `spending`. */
  weight: number
  /** Whether commands contain it, so it is not misspelled. */
  isKnown: boolean
  /** Whether another word follows as well, so it is not the beginning of a longer one. */
  isWhole: boolean
}

function readTyped(query: string, known: ReadonlySet<string>): TypedWord[] {
  const words = readWords(query).slice(0, typedMax)
  const telling = words.filter((word) => !emptyWords.has(word))
  return (telling.length === 0 ? words : telling).map((word, index, all) => ({
    word,
    alike: synonyms.get(findStem(word)) ?? none,
    weight: vagueWords.has(word) ? 0.6 : 1,
    isKnown: known.has(word),
    isWhole: index < all.length - 1 && known.has(word),
  }))
}

const none: ReadonlySet<string> = new Set()

const vagueWords = new Set(
  readWords(`stop start allow add create make new remove delete give put turn enable disable check find see try use write
    read ask run send fix update change connect search approve out up off down swap paste
    error errors problem problems issue issues dashboard`),
)

/** Words that owners use for the same thing, whatever it is about. */
const synonymGroups = `
  spend spending cost costs price prices billing bill budget money expense expenses charge invoice
  broken broke break fail failed fails failing failure failures error errors wrong problem problems issue issues trouble down incident
  tone style voice wording personality persona prompt instructions behaviour behavior
  starter suggested suggestions sample example first initial opening placeholder
  schedule scheduled recurring every daily monthly periodic nightly cron
  outdated stale obsolete old deprecated expired false
  person people user users member members colleague colleagues teammate teammates staff coworker
  role roles permission permissions access rights privileges
  log logs history trail audit record records activity
  undo revert rollback restore back previous
  chart charts graph graphs statistics stats numbers metrics analytics trends
  limit limits cap quota ceiling maximum max restrict stop
  fast slow speed latency performance
  mail email emails smtp newsletter
  repo repository repositories git
  integration integrations connect connection hook hooks plugin
  feedback rating ratings thumbs vote votes opinion reviews satisfaction satisfied happy
  reader readers visitor visitors customer customers
  domain domains origin origins hostname
  notify notification notifications alert alerts ping warn inform
  database postgres postgresql sqlite db
  folder directory subdirectory path
  greeting welcome hello
`
  .trim()
  .split('\n')

const synonyms = new Map<string, Set<string>>()
for (const group of synonymGroups.map(readWords)) {
  for (const word of group) synonyms.set(findStem(word), new Set([...(synonyms.get(findStem(word)) ?? []), ...group]))
}

function readWords(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** How much a match counts in the label, in other words for it, and in the detail. */
const weights = [1, 0.8, 0.55] as const

/** By command: splitting the words of hundreds of commands takes longer than ranking them. */
const wordsOf = new WeakMap<Command, string[][]>()

function readParts(command: Command): string[][] {
  const known =
    wordsOf.get(command) ?? [command.label, command.words, `${command.detail} ${command.slug ?? ''}`].map(readWords)
  wordsOf.set(command, known)
  return known
}

function scoreCommand(command: Command, typed: readonly TypedWord[], { siteId, recent }: RankContext) {
  const parts = readParts(command)
  // Names are anybody's words: a site called Billing is not what costs are about.
  const named = (word: TypedWord, part: number) => (part === 1 ? word : { ...word, alike: none })
  const found = typed.map((word) =>
    Math.max(...weights.map((weight, at) => weight * bestMatch(named(word, at), parts[at] ?? []))),
  )
  const all = typed.reduce((sum, { weight }) => sum + weight, 0)
  const sum = (valueOf: (score: number) => number) =>
    typed.reduce((total, { weight }, at) => total + weight * valueOf(found[at] ?? 0), 0) / all
  const known = sum((score) => (score > 0 ? 1 : 0))
  const matched = known * sum((score) => score)
  const [label = []] = parts
  const shown =
    label.filter((word) => typed.some((each) => matchTyped({ ...each, alike: none }, word) > 0)).length /
    (label.length || 1)
  const near = command.siteId === null ? 0 : command.siteId === siteId ? 0.1 : -0.1
  const used = recent.includes(command.id) ? 0.05 : 0
  return { known, score: matched + 0.2 * shown + near + used - (command.isObject === true ? 0.1 : 0) }
}

function bestMatch(typed: TypedWord, words: Iterable<string>): number {
  let best = 0
  for (const word of words) best = Math.max(best, matchTyped(typed, word))
  return best
}

function matchTyped({ word: typed, alike, isKnown, isWhole }: TypedWord, word: string): number {
  const match = matchWord(typed, word, isKnown)
  if (match >= 0.9) return match
  const meant = alike.has(word) ? 0.7 : 0
  return isWhole ? meant : Math.max(meant, match)
}

/** @returns 1 for the same word, less for its beginning, a part of it or a misspelling, and 0 for another word. */
function matchWord(typed: string, word: string, isKnown: boolean): number {
  if (typed === word) return 1
  if (word === `${typed}s` || typed === `${word}s`) return 0.95
  if (typed[0] === word[0] && findStem(typed) === findStem(word)) return 0.9
  if (word.startsWith(typed)) return 0.75 + (0.2 * typed.length) / word.length
  if (typed.length >= 4 && typed.startsWith(word) && word.length >= 3 && typed.length - word.length <= 3) return 0.7
  if (typed.length >= 3 && word.includes(typed)) return 0.55
  if (isKnown) return 0
  // Of three letters, two may only be swapped: one wrong letter would make most short words alike.
  if (typed.length === 3) return word.length === 3 && sortLetters(typed) === sortLetters(word) ? 0.6 : 0
  const allowed = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2
  // Hardly anybody mistypes the first letter.
  if (allowed === 0 || typed[0] !== word[0] || word.length < typed.length - allowed) return 0
  const distance = Math.min(countEdits(typed, word), countEdits(typed, word.slice(0, typed.length)) + 0.5)
  return distance <= allowed ? 0.75 - 0.1 * distance : 0
}

/** What the forms of an English word share, such as `merge`, `merging` and `merged`. */
function findStem(word: string): string {
  return word.replace(/(?<=.{3})(?:ing|ed|es|s|e)$/, '').replace(/(.)\1$/, '$1')
}

function sortLetters(word: string): string {
  return word.split('').toSorted().join('')
}

/** Letters to insert, delete, replace or swap with the next. */
function countEdits(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same, swap)
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] ?? 0
}
