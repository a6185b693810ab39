import { type InstructionLanguage, phrases, type Verb, verbs } from './instruction-lexicon.ts'
import { readWords } from './instruction-words.ts'

/** One thing to do. */
export interface Clause {
  verb: Verb | 'REDIRECT'
  /**
   * What is left of the clause without verb and place: known words as `§TOKEN`, quoted texts as `⟦n⟧`, paths as `〔n〕`, and
   * words as they are, with one space between each.
   */
  rest: string
  place: Place | null
  /** The texts and paths by their numbers. */
  values: readonly string[]
  /** The whole instruction, as it was written. */
  said: string
}

/** Names of pages, every page, or every text file. */
export type Place = { pages: readonly string[] } | 'pages' | 'files'

/** Paths and names of files, which contain words that are no words of the instruction. */
const paths =
  /(?<=^|[\s,(])(?:https?:\/\/[^\s,⟦]*[^\s,⟦.;:!?)]|\/[\p{L}\p{N}_@.-]*|\/?[\p{L}\p{N}_][\p{L}\p{N}_@.-]*[/_.-](?:[\p{L}\p{N}_@./-]*[\p{L}\p{N}/_])?)(?=$|[\s,;:.!?)])/gu

const value = '(?:⟦\\d+⟧|〔\\d+〕)'
const bare = '[^\\s§⟦〔,]+'
/** A page with the word for it, a path, or one that was spoken of. */
const namedPage = `(?:§PAGE (?:${value}|${bare})|(?:${value}|${bare}(?: ${bare}){0,3}) §PAGE|〔\\d+〕|§IT)`
const anyPage = `(?:${namedPage}|⟦\\d+⟧|${bare})`
export const pagePattern = namedPage
const pageList = `${anyPage}(?:(?: ,| §AND| , §AND) ${anyPage})*`
/** Texts are taken out of pages and put into them; pages themselves are moved, redirected and listed from and to. */
const placeOf = {
  DELETE: makePlacePattern('IN|FROM'),
  ADD: makePlacePattern(`IN|TO(?= §PAGE| 〔| §IT| ${bare}(?: ${bare}){0,3} §PAGE| ${bare}(?:$| ,| §WITH| §SAYING| ⟦))`),
  other: makePlacePattern('IN'),
  none: /(?!)/u,
}

function makePlacePattern(before: string): RegExp {
  const everything = '(?<all>(?:§IN |§FROM )?§ALL)|(?<files>(?:§IN )?§FILES)'
  return new RegExp(
    `(?:^|(?<= ))(?:${everything}|§(?:${before})(?! (?:⟦\\d+⟧|${bare}(?: ${bare}){0,3}) §(?:SECTION|HEADING|TABLE|LIST)) (?<list>${pageList}))(?= |$)`,
    'u',
  )
}

/** What an instruction asks for, in order; null if a part of it has no known form. */
export function readClauses(instruction: string): Clause[] | null {
  const { text, values } = markPaths(readWords(instruction))
  const parts = markWords(text)
    .split(/ ?§(?:STOP|THEN) ?/)
    .flatMap(splitByVerbs)
  let before = ''
  const clauses = parts.map((part) => {
    before = nameIt(part, before)
    // Nothing was named before.
    if (/§IT(?= |$)/.test(before)) return null
    return readClause(before, { values, said: instruction })
  })
  return clauses.length === 0 || clauses.includes(null) ? null : clauses.filter((clause) => clause !== null)
}

/** Puts the page that was named last in the place of `it`. */
function nameIt(part: string, before: string): string {
  const page = before
    .match(new RegExp(`〔\\d+〕|§PAGE (?:${value}|${bare})|(?<!\\S)(?:${value}|${bare}(?: ${bare}){0,3}) §PAGE`, 'gu'))
    ?.at(-1)
  return page === undefined ? part : part.replaceAll(/§IT(?= |$)/g, page)
}

function markPaths({ text, values }: { text: string; values: readonly string[] }) {
  const all = [...values]
  const marked = text.replace(paths, (path) =>
    // A version is no file.
    /^v?\d+(?:\.\d+)*$/.test(path) ? path : `〔${all.push(path) - 1}〕`,
  )
  return { text: marked, values: all }
}

/** In the language that leaves the fewest words unknown. */
export function markWords(text: string): string {
  lexicons ??= (['en', 'de', 'fr', 'es'] as const).map(makeLexicon)
  const marked = lexicons.map((lexicon) => markIn(lexicon, text))
  const counts = marked.map((candidate) => candidate.split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word)).length)
  return marked[counts.indexOf(Math.min(...counts))] ?? text
}

type Lexicon = readonly (readonly [token: string, pattern: RegExp])[]

const edge = '(?![\\p{L}\\p{N}_-])'
/** Made for the first instruction, because it takes 20 ms. */
let lexicons: readonly Lexicon[] | null = null

function makeLexicon(language: InstructionLanguage): Lexicon {
  const words = [...phrases, ...Object.entries(verbs)] as const
  return words.map(([token, forms]) => [
    token,
    new RegExp(`(?<![\\p{L}\\p{N}_§:-])(?:${forms[language]})${edge}`, 'giu'),
  ])
}

function markIn(lexicon: Lexicon, text: string): string {
  let marked = text
    .replaceAll(/[.;!?]+(?=\s|$)/g, ' §STOP ')
    .replaceAll(/,/g, ' , ')
    .replaceAll(':', ' ')
  for (const [token, pattern] of lexicon) marked = marked.replace(pattern, token === '' ? ' ' : ` §${token} `)
  return ` ${marked} `
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?: ,)+(?= ,| §STOP| $)/g, '')
    .trim()
}

const verbToken = new RegExp(`§(?:${Object.keys(verbs).join('|')}|REDIRECT)(?= |$)`, 'g')

/** Splits where each side has a verb of its own: `delete a and b` is one clause, `delete a and move b to c` are two. */
function splitByVerbs(part: string): string[] {
  const clauses: string[] = []
  let open = ''
  for (const piece of part.split(/ (?=(?:, )?§AND |, )/)) {
    const isWhole = hasVerb(open)
    if (isWhole && hasVerb(piece)) {
      clauses.push(open)
      open = piece.replace(/^(?:, )?(?:§AND )?(?:, )?/, '')
    } else open = `${open} ${piece}`.trim()
  }
  return [...clauses, open].filter((clause) => /[^\s,]/.test(clause))
}

function hasVerb(text: string): boolean {
  return text.search(verbToken) !== -1
}

function readClause(text: string, { values, said }: Pick<Clause, 'values' | 'said'>): Clause | null {
  const found = text.match(verbToken) ?? []
  const others = found.filter((token) => token !== '§REDIRECT')
  const verb = others[0] ?? found[0]
  if (verb === undefined || others.length > 1) return null
  // The place of the verb ends a list of pages: `on a and b, replace …`.
  const marked = text.replace(verb, '§VERB').replaceAll(/ ?, (?=§VERB)/g, ' ')
  // In a case of its own, a page needs no preposition: `am Ende der Seite`, `füge der Seite … am Ende`.
  const placed = marked
    .replaceAll(/(?<=§(?:END|START))(?: §FROM)? (?=§PAGE|〔)/g, ' §IN ')
    .replaceAll(/(?<!§(?:IN|TO|FROM|PAGE) )(?=(?:§PAGE \S+|〔\d+〕) §(?:END|START))/g, '§IN ')
    .replaceAll(/\s+/g, ' ')
  const matches = [...placed.matchAll(new RegExp(choosePlacePattern(verb, text), 'gu'))]
  // A single word may also be a part of the page.
  const isNamed = ({ groups }: RegExpExecArray) => !/^[^〔§]*$/.test(groups?.['list'] ?? '§')
  const match = matches.find(isNamed) ?? matches[0] ?? null
  const rest = (match === null ? placed : placed.replace(match[0], ' ')).replace('§VERB', ' ').replaceAll(/\s+/g, ' ')
  return {
    verb: verb.slice(1) as Clause['verb'],
    rest: rest.replaceAll(/^[ ,]+|[ ,]+$/g, ''),
    place: readPlace(match?.groups, values),
    values,
    said,
  }
}

function choosePlacePattern(verb: string, text: string): RegExp {
  if (
    text.includes('§REDIRECT') ||
    (/^§(?:MOVE|RENAME)/.test(verb) && !/⟦|§(?:HEADING|SECTION|SUBJ|ITEM|ROW)/.test(text))
  )
    return placeOf.none
  if (text.includes('§NAV')) return placeOf.other
  return verb === '§DELETE' ? placeOf.DELETE : verb === '§ADD' ? placeOf.ADD : placeOf.other
}

function readPlace(groups: Record<string, string | undefined> | undefined, values: readonly string[]): Place | null {
  if (groups === undefined) return null
  if (groups['all'] !== undefined) return 'pages'
  if (groups['files'] !== undefined) return 'files'
  return { pages: readPages(groups['list'] ?? '', values) }
}

/** The names of pages in a list such as `§PAGE a , b §AND c`. */
export function readPages(list: string, values: readonly string[]): string[] {
  return list.split(/ , §AND | , | §AND /).map((page) => readName(page, values))
}

/** What a quoted text, a path, or words stand for. */
export function readName(words: string, values: readonly string[]): string {
  const bareWords = words.replaceAll('§PAGE', '').trim()
  const number = /^[⟦〔](\d+)[⟧〕]$/.exec(bareWords)?.[1]
  return number === undefined ? bareWords : (values[Number(number)] ?? '')
}
