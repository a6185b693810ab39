import { readInline } from '../../content/markdown/markdown-blocks.ts'
import { stripTags } from '../../content/markdown/strip-tags.ts'
import { toPlain } from './exact-facts.ts'
import type { Ground } from './find-grounds.ts'
import type { PassageText, PassageUnit } from './passage-text.ts'

const wordsMin = 3
const wordsMax = 8
/** A longer sentence is named by its first and last words. */
const wholeWordsMax = 12
const endWords = 4
const prefixWords = 3
const urlCharsMax = 500
/** Sites that improve typography render these in other characters. */
const changing = /["'“”‘’«»`–—…<>|\\{}]|--|\.{2,}|^[-+*]$|!\[/
const edges = /^[^\p{L}\p{N}$#@/]+|[^\p{L}\p{N}%+#/)]+$/gu

/**
 * Adds a text fragment to the address of a section, which browsers scroll to and highlight: words of one block, as they
 * are rendered.
 *
 * @param url With the anchor of the section, if it has one.
 * @param texts All read passages of the page, to tell whether the words are elsewhere too.
 * @returns The address as it was if the text has too few words that every renderer writes alike.
 */
export function addTextFragment(
  url: string,
  { text, units }: Pick<Ground, 'text' | 'units'>,
  texts: readonly PassageText[],
): string {
  for (const unit of units) {
    const directive = nameUnit(unit, text, texts)
    const whole = `${url}${url.includes('#') ? '' : '#'}:~:text=${directive}`
    if (directive !== '') return whole.length > urlCharsMax ? url : whole
  }
  return url
}

/** Words that may name a unit. */
interface UnitName {
  directive: string
  /** What it begins with, as `toPlain` writes it. */
  plain: string
  /** Whether its own passage has them elsewhere too. */
  isRepeated: boolean
}

interface UnitNames {
  /** The best first. */
  names: readonly UnitName[]
  /** For words that are elsewhere too; may be empty. */
  prefixed: string
}

/** Kept as long as their passages, which are read for many answers. */
const namesOfUnits = new WeakMap<PassageUnit, UnitNames>()

/** @returns The value of the directive; empty if the words are elsewhere on the page too, as far as it was read. */
function nameUnit(unit: PassageUnit, text: PassageText, texts: readonly PassageText[]): string {
  const { names, prefixed } = namesOfUnits.get(unit) ?? listNames(unit, text)
  // Passages of a page may overlap.
  const isElsewhere = (plain: string) =>
    texts.some((other) => other !== text && other.plain.includes(plain) && !other.plain.includes(unit.plain))
  return names.find(({ plain, isRepeated }) => !isRepeated && !isElsewhere(plain))?.directive ?? prefixed
}

function listNames(unit: PassageUnit, text: PassageText): UnitNames {
  const chosen = chooseWords(unit, text)
  const names =
    chosen === null ? noNames : { names: cutNames(chosen, text), prefixed: writePrefixed(chosen, unit, text) }
  namesOfUnits.set(unit, names)
  return names
}

const noNames: UnitNames = { names: [], prefixed: '' }

function cutNames({ words, isWhole }: ChosenWords, text: PassageText): UnitName[] {
  const ranges = isWhole && words.length > wholeWordsMax ? [[words.slice(0, endWords), words.slice(-endWords)]] : []
  const names = [...ranges, [words.slice(0, wordsMax)], [words.slice(0, 2 * wordsMax)]].map((parts) => parts.map(join))
  return names.map((parts) => {
    const plain = toPlain(parts[0] ?? '')
    return { directive: parts.map(encode).join(','), plain, isRepeated: isRepeated(plain, text) }
  })
}

function isRepeated(plain: string, text: PassageText): boolean {
  if (plain !== '' && text.plain.indexOf(plain, text.plain.indexOf(plain) + plain.length) !== -1) return true
  // Headings are above the passage, and not all are part of it.
  const { title, headings } = text.passage
  return (
    toPlain([title, ...headings].join('\n')).includes(plain) && !text.plain.includes(toPlain(headings.at(-1) ?? ''))
  )
}

function writePrefixed({ words }: ChosenWords, unit: PassageUnit, text: PassageText): string {
  const prefix = findPrefix(unit, text)
  return prefix === '' ? '' : `${encode(prefix)}-,${encode(join(words.slice(0, wordsMax)))}`
}

/** A raw hyphen would separate a prefix. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('-', '%2D')
}

interface ChosenWords {
  words: string[]
  /** Whether these are all words of the sentence. */
  isWhole: boolean
}

function chooseWords(unit: PassageUnit, { passage }: PassageText): ChosenWords | null {
  const written = passage.content.slice(unit.start, unit.end)
  const pieces = unit.block.isTable ? written.split('|') : [written]
  const runs = pieces.flatMap((piece) => listRuns(unit.block.kind === 'fence' ? piece : render(piece)))
  const first = runs.find(({ words }) => words.length > wordsMin)
  const best = first ?? runs.toSorted((a, b) => b.words.length - a.words.length)[0]
  return best === undefined || best.words.length < wordsMin ? null : best
}

function render(markdown: string): string {
  return readInline(stripTags(markdown.replace(/!\[[^\]]*\]\([^)]*\)/g, ' … ')))
}

/** Runs of words without characters that a renderer may change. */
function listRuns(text: string): ChosenWords[] {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const runs: string[][] = [[]]
  for (const word of words) {
    if (changing.test(word)) runs.push([])
    else runs.at(-1)?.push(word)
  }
  return runs.filter(({ length }) => length > 0).map((run) => ({ words: run, isWhole: run.length === words.length }))
}

/** Fragments match whole words, so punctuation around them is not needed. */
function join(words: readonly string[]): string {
  return words.join(' ').replace(edges, '')
}

/** The last words before, in the same paragraph. */
function findPrefix(unit: PassageUnit, { passage, units }: PassageText): string {
  const before = units[units.indexOf(unit) - 1]
  if (before === undefined || before.block !== unit.block || unit.block.kind === 'fence' || unit.block.isTable)
    return ''
  if (passage.content.slice(before.end, unit.start).trim() !== '') return ''
  const [last] = listRuns(render(passage.content.slice(before.start, before.end))).slice(-1)
  return join(last?.words.slice(-prefixWords) ?? [])
}
