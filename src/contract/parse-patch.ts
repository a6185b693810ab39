import { matchSequences } from './match-sequences.ts'

/** A line of a patch, as shown in a diff table. */
export interface PatchLine {
  kind: 'context' | 'added' | 'removed' | 'note'
  /** Line numbers before and after; null on the side without the line. */
  before: number | null
  after: number | null
  text: string
  /** The words that differ between removed lines and those that replace them; null for the whole line. */
  marks: Marks | null
}

export interface PatchHunk {
  /** Git's hunk header context, such as the enclosing heading; may be empty. */
  place: string
  lines: PatchLine[]
}

/** The rest is file content, which may contain carriage returns and line separators. */
const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/s

/**
 * Parses the hunks of a unified diff of one file. Ignores lines that do not belong to a hunk, so that any input is
 * accepted.
 */
export function parsePatch(patch: string): PatchHunk[] {
  const hunks: PatchHunk[] = []
  let [before, after] = [0, 0]
  for (const line of patch.replace(/\n$/, '').split('\n')) {
    const head = hunkHead.exec(line)
    if (head !== null) {
      ;[before, after] = [Number(head[1]), Number(head[2])]
      hunks.push({ place: head[3] ?? '', lines: [] })
      continue
    }
    const lines = hunks.at(-1)?.lines
    const text = line.slice(1).replace(/\r$/, '')
    if (line.startsWith('+')) lines?.push({ kind: 'added', before: null, after: after++, text, marks: null })
    else if (line.startsWith('-')) lines?.push({ kind: 'removed', before: before++, after: null, text, marks: null })
    else if (line.startsWith('\\'))
      lines?.push({ kind: 'note', before: null, after: null, text: text.trim(), marks: null })
    else if (line.startsWith(' ')) lines?.push({ kind: 'context', before: before++, after: after++, text, marks: null })
  }
  for (const { lines } of hunks) markChanges(lines)
  return hunks
}

/** Compares removed lines with the added lines that follow: as one text, because prose is wrapped anew when it changes. */
function markChanges(lines: PatchLine[]): void {
  for (let start = 0; start < lines.length; start++) {
    const removed = countKind(lines, start, 'removed')
    if (removed === 0) continue
    const added = countKind(lines, start + removed, 'added')
    const [before, after] = [lines.slice(start, start + removed), lines.slice(start + removed, start + removed + added)]
    const marks = added === 0 ? null : markWords(joinLines(before), joinLines(after))
    if (marks !== null) {
      placeMarks(before, marks.before)
      placeMarks(after, marks.after)
    }
    start += removed + added - 1
  }
}

function joinLines(lines: readonly PatchLine[]): string {
  return lines.map(({ text }) => text).join('\n')
}

/** @param marks Of the joined lines. */
function placeMarks(lines: readonly PatchLine[], marks: Marks): void {
  let start = 0
  for (const line of lines) {
    const end = start + line.text.length
    const own = marks.filter(([from, to]) => from < end && to > start)
    line.marks = own.map(([from, to]) => [Math.max(from, start) - start, Math.min(to, end) - start] as const)
    start = end + 1
  }
}

function countKind(lines: readonly PatchLine[], start: number, kind: PatchLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end - start
}

/** Ranges of a text, ascending: start inclusive, end exclusive. */
type Marks = readonly (readonly [from: number, to: number])[]

/** Texts with little in common are rewrites, in which marks would only be noise. */
const commonShareMin = 0.3

/** Beyond, marking would take long and help nobody. */
const wordsMax = 4_000
const editsMax = 400

/** Marks the words that differ between two texts; null if the texts have little in common or are long. */
function markWords(before: string, after: string): { before: Marks; after: Marks } | null {
  const [a, b] = [splitWords(before), splitWords(after)]
  if (a.length > wordsMax || b.length > wordsMax) return null
  const matches = matchSequences(a, b, editsMax)
  if (matches === null) return null
  const common = matches.reduce((sum, [index]) => sum + countCharacters(a[index] ?? ''), 0)
  const shorter = Math.min(countCharacters(before), countCharacters(after))
  if (common < shorter * commonShareMin) return null
  return {
    before: markOthers(a, new Set(matches.map(([index]) => index))),
    after: markOthers(b, new Set(matches.map(([, index]) => index))),
  }
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\n|[^\S\n]+|./gsu) ?? []
}

function countCharacters(text: string): number {
  return text.replace(/\s+/g, '').length
}

/** Marks meet over the spaces between them, so that a changed phrase is one mark. */
function markOthers(words: readonly string[], matched: ReadonlySet<number>): Marks {
  const marks: [number, number][] = []
  let place = 0
  let isOpen = false
  for (const [index, word] of words.entries()) {
    const last = marks.at(-1)
    if (!matched.has(index)) {
      if (isOpen && last !== undefined) last[1] = place + word.length
      else marks.push([place, place + word.length])
      isOpen = true
    } else if (word.trim() !== '' || word === '\n') isOpen = false
    place += word.length
  }
  return marks
}
