import { readInline } from '../../content/markdown/markdown-blocks.ts'
import { stripTags } from '../../content/markdown/strip-tags.ts'
import { toPlain } from './exact-facts.ts'
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
  unit: PassageUnit,
  text: PassageText,
  texts: readonly PassageText[],
): string {
  const words = chooseWords(unit, text)
  if (words === null) return url
  const named = nameWords(words)
  const isElsewhere = texts.reduce((count, { plain }) => count + countOf(plain, toPlain(named.start)), 0) > 1
  const prefix = isElsewhere ? findPrefix(unit, text) : ''
  const directive = [
    ...(prefix === '' ? [] : [`${encode(prefix)}-`]),
    encode(named.start),
    ...(named.end === '' ? [] : [encode(named.end)]),
  ].join(',')
  const whole = `${url}${url.includes('#') ? '' : '#'}:~:text=${directive}`
  return whole.length > urlCharsMax ? url : whole
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

function nameWords({ words, isWhole }: ChosenWords): { start: string; end: string } {
  if (!isWhole || words.length <= wholeWordsMax) return { start: join(words.slice(0, wordsMax)), end: '' }
  return { start: join(words.slice(0, endWords)), end: join(words.slice(-endWords)) }
}

/** Fragments match whole words, so punctuation around them is not needed. */
function join(words: readonly string[]): string {
  return words.join(' ').replace(edges, '')
}

/** The last words before, in its block or in the heading above it. */
function findPrefix(unit: PassageUnit, { passage, units }: PassageText): string {
  const before = units[units.indexOf(unit) - 1]
  const isNext = before !== undefined && before.block === unit.block
  const written = isNext ? passage.content.slice(before.start, before.end) : (unit.block.headings.at(-1) ?? '')
  const [last] = listRuns(render(written)).slice(-1)
  return join(last?.words.slice(-prefixWords) ?? [])
}

function countOf(text: string, part: string): number {
  return part === '' ? 0 : text.split(part).length - 1
}
