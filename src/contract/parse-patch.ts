import { type Marks, markWords } from './mark-words.ts'

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
