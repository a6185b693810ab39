/** A line of a patch, as shown in a diff table. */
export interface PatchLine {
  kind: 'context' | 'added' | 'removed' | 'note'
  /** Line numbers before and after; null on the side without the line. */
  before: number | null
  after: number | null
  text: string
  /**
   * The range that differs between a removed line and its replacement: start inclusive, end exclusive; null for the
   * whole line.
   */
  change: readonly [from: number, to: number] | null
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

/** Pairs removed lines of a block with the added lines that follow, if their numbers are equal. */
function markChanges(lines: PatchLine[]): void {
  for (let start = 0; start < lines.length; start++) {
    const removed = countKind(lines, start, 'removed')
    if (removed === 0) continue
    const added = countKind(lines, start + removed, 'added')
    if (added === removed) markPairs(lines, start, removed)
    start += removed + added - 1
  }
}

/** @param start Index of the first of `count` removed lines, which are followed by as many added ones. */
function markPairs(lines: readonly PatchLine[], start: number, count: number): void {
  for (let index = start; index < start + count; index++) markPair(lines[index], lines[index + count])
}

function countKind(lines: readonly PatchLine[], start: number, kind: PatchLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end - start
}

/** Lines with little in common are rewrites, in which marks would only be noise. */
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

/** Never splits a surrogate pair. */
function widenToPairs(text: string, from: number, to: number): readonly [number, number] {
  const isSecondHalf = (index: number) => /[\udc00-\udfff]/.test(text[index] ?? '')
  return [isSecondHalf(from) ? from - 1 : from, isSecondHalf(to) ? to + 1 : to]
}
