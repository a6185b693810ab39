import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import {
  findLineOfOffset,
  findSimilarLines,
  findText,
  isWholeWord,
  type TextRange,
  withoutLineNumbers,
} from './find-text.ts'
import { findLineEnd, withLineEnd } from './text-file.ts'

/** A change of a text. */
export interface TextEdit {
  find: string
  replace: string
  /** Every occurrence instead of exactly one. */
  all?: boolean | undefined
  /** Leaves out occurrences inside longer words. */
  wholeWord?: boolean | undefined
  /** A line, from 1: of several occurrences, the nearest is meant. */
  near?: number | undefined
}

export interface EditedText {
  text: string
  /** Of the changed text. */
  ranges: TextRange[]
  /** How many occurrences were replaced. */
  replaced: number
  /** What was ignored to find texts that do not occur exactly. */
  ignored: string[]
}

interface PlacedEdit extends TextRange {
  text: string
}

const linesNamedMax = 10
const similarMax = 3

/**
 * Applies all edits to a text as it is, or none.
 *
 * @throws {AppError} that says which edit does not fit, and where similar text is.
 */
export function applyEdits(path: string, before: string, edits: readonly TextEdit[]): EditedText {
  const ignored = new Set<string>()
  const placed = edits.flatMap((edit, index) => {
    const which = edits.length === 1 ? '' : `Edit ${index + 1} of ${edits.length}: `
    const found = placeEdit(path, before, edit, which)
    if (found.ignored !== null) ignored.add(found.ignored)
    return found.placed
  })
  const sorted = placed.toSorted((one, other) => one.start - other.start)
  const overlapping = sorted.findIndex(({ start }, index) => start < (sorted[index - 1]?.end ?? 0))
  if (overlapping !== -1) {
    const line = findLineOfOffset(before, sorted[overlapping]?.start ?? 0)
    throw refuse(`Two of the edits overlap at line ${line} of ${quotePath(path)}. Make them one.`)
  }
  const after = joinEdits(before, sorted)
  if (after.text === before) throw refuse('The text is the same after the edit.')
  return { ...after, replaced: placed.length, ignored: [...ignored] }
}

function placeEdit(path: string, text: string, edit: TextEdit, which: string) {
  const { find, all = false, wholeWord = false, near } = edit
  const found = [find, withoutLineNumbers(find)]
    .map((wanted) => findText(text, wanted))
    .find(({ ranges }) => ranges.length > 0)
  if (found === undefined) throw notFound(path, text, edit, which)
  const { ignored } = found
  const ranges = wholeWord ? found.ranges.filter((range) => isWholeWord(text, range)) : found.ranges
  if (ranges.length === 0) throw refuse(`${which}The text occurs in ${quotePath(path)} only inside longer words.`)
  const chosen = all || ranges.length === 1 ? ranges : near === undefined ? [] : findNearest(text, ranges, near)
  if (chosen.length === 0) throw notUnique(path, text, ranges, which)
  const replacement = withLineEnd(
    find === withoutLineNumbers(find) ? edit.replace : withoutLineNumbers(edit.replace),
    findLineEnd(text),
  )
  return { ignored, placed: chosen.map((range): PlacedEdit => ({ ...range, text: replacement })) }
}

/** In one pass over the text: there may be as many ranges as characters. */
function findNearest(text: string, ranges: readonly TextRange[], near: number): TextRange[] {
  let [line, from] = [1, 0]
  let best: { range: TextRange; distance: number } | null = null
  for (const range of ranges) {
    for (; from < range.start; from++) if (text.charCodeAt(from) === 10) line++
    const distance = Math.abs(line - near)
    if (best === null || distance < best.distance) best = { range, distance }
  }
  return best === null ? [] : [best.range]
}

function joinEdits(before: string, edits: readonly PlacedEdit[]): Pick<EditedText, 'text' | 'ranges'> {
  let text = ''
  let from = 0
  const ranges: TextRange[] = []
  for (const { start, end, text: replacement } of edits) {
    text += before.slice(from, start)
    ranges.push({ start: text.length, end: text.length + replacement.length })
    text += replacement
    from = end
  }
  return { text: text + before.slice(from), ranges }
}

const contextLines = 3
const excerptCharsMax = 3_000

/** The lines around ranges of a text, with their numbers. */
export function showRanges(text: string, ranges: readonly TextRange[]): string {
  const lines = text.split(/\r?\n/)
  const shown = new Set<number>()
  for (const { start, end } of ranges) {
    const [from, to] = [findLineOfOffset(text, start), findLineOfOffset(text, end)]
    for (let line = from - contextLines; line <= to + contextLines; line++)
      if (line >= 1 && line <= lines.length) shown.add(line)
  }
  const sorted = [...shown].sort((one, other) => one - other)
  const rows = sorted.map(
    (line, index) => `${index > 0 && sorted[index - 1] !== line - 1 ? '…\n' : ''}${line}\t${lines[line - 1] ?? ''}`,
  )
  const excerpt = rows.join('\n')
  return excerpt.length > excerptCharsMax ? `${excerpt.slice(0, excerptCharsMax)}…` : excerpt
}

function notUnique(path: string, text: string, ranges: readonly TextRange[], which: string): AppError {
  const lines = ranges.slice(0, linesNamedMax).map(({ start }) => findLineOfOffset(text, start))
  const named = `${lines.join(', ')}${ranges.length > linesNamedMax ? ' and further' : ''}`
  return refuse(
    `${which}The text occurs ${ranges.length} times in ${quotePath(path)}, at lines ${named}. Give more of the text around it, set "near" to one of these lines, or set "all" to true.`,
  )
}

function notFound(path: string, text: string, { find, replace }: TextEdit, which: string): AppError {
  if (replace.trim() !== '' && text.includes(replace)) {
    const line = findLineOfOffset(text, text.indexOf(replace))
    return refuse(
      `${which}The text does not occur in ${quotePath(path)}, but its replacement is there already, at line ${line}.`,
    )
  }
  const similar = findSimilarLines(text, find, similarMax)
  const hint =
    similar.length === 0
      ? 'Read the file to see what it holds.'
      : `Similar are ${similar.join('; ')}. Copy the text as it is.`
  return refuse(`${which}The text does not occur in ${quotePath(path)}. ${hint}`)
}

function refuse(reason: string): AppError {
  return new AppError('invalid_request', `${reason} Nothing was changed.`)
}
