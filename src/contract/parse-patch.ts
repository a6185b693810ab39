/** A line of a patch as a table shows it. */
export interface PatchLine {
  kind: 'context' | 'added' | 'removed' | 'note'
  /** Line numbers before and after; null on the side that does not have the line. */
  before: number | null
  after: number | null
  text: string
  /** Where a removed line and the added line in its place differ: from, inclusive, to, exclusive; null for all of it. */
  change: readonly [from: number, to: number] | null
}

export interface PatchHunk {
  /** What git says of the place, such as the heading above; may be empty. */
  place: string
  lines: PatchLine[]
}

/** What follows is text of the file, which may hold carriage returns and line separators too. */
const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/s

/**
 * Reads the hunks of a unified diff of one file. What is no line of a hunk is left out, so that a patch can hold
 * anything.
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
    if (line.startsWith('+')) lines?.push({ kind: 'added', before: null, after: after++, text, change: null })
    else if (line.startsWith('-')) lines?.push({ kind: 'removed', before: before++, after: null, text, change: null })
    else if (line.startsWith('\\'))
      lines?.push({ kind: 'note', before: null, after: null, text: text.trim(), change: null })
    else if (line.startsWith(' '))
      lines?.push({ kind: 'context', before: before++, after: after++, text, change: null })
  }
  for (const { lines } of hunks) markChanges(lines)
  return hunks
}

/** Pairs the removed lines of a block with the added lines that follow, where there are as many of both. */
function markChanges(lines: PatchLine[]): void {
  for (let start = 0; start < lines.length; start++) {
    const removed = countKind(lines, start, 'removed')
    if (removed === 0) continue
    const added = countKind(lines, start + removed, 'added')
    if (added === removed) markPairs(lines, start, removed)
    start += removed + added - 1
  }
}

/** @param start Where `count` removed lines begin, which as many added ones follow. */
function markPairs(lines: readonly PatchLine[], start: number, count: number): void {
  for (let index = start; index < start + count; index++) markPair(lines[index], lines[index + count])
}

function countKind(lines: readonly PatchLine[], start: number, kind: PatchLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end - start
}

/** Lines that have little in common are new ones, in which a mark would only be noise. */
const commonShareMin = 0.3

function markPair(removed: PatchLine | undefined, added: PatchLine | undefined): void {
  if (removed === undefined || added === undefined) return
  const [a, b] = [removed.text, added.text]
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  if (head + tail < shorter * commonShareMin) return
  removed.change = widenToPairs(a, head, a.length - tail)
  added.change = widenToPairs(b, head, b.length - tail)
}

/** A mark never cuts a character that takes two code units. */
function widenToPairs(text: string, from: number, to: number): readonly [number, number] {
  const isSecondHalf = (index: number) => /[\udc00-\udfff]/.test(text[index] ?? '')
  return [isSecondHalf(from) ? from - 1 : from, isSecondHalf(to) ? to + 1 : to]
}
