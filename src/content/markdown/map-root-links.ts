import { mapProse } from './code-fence.ts'

const rootLinkMaybe = /\](?:\(|:)[ \t]?<?\//
/** Ends a line before one that begins a block: no code span reaches across. */
const blockBreak = /\n(?=[ \t>]*(?:$|[-*+|#]|\d{1,9}[.)]))/m
/**
 * The target of an inline link, an image or a definition, and what stands before it. `//` and `/\` are URLs of other
 * sites, and a bracket after an odd number of backslashes is text.
 */
const rootLink =
  /(\](?<=(?<!\\)(?:\\\\)*\])\([ \t]?|^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[(?!\^)[^[\]\n]{1,999}\]:[ \t]?)(<\/(?![/\\])[^<>\n]*>|\/(?![/\\])(?:[^\s()<>]|\([^\s()<>]*\))*)(?=\s*[)"'(]|[ \t]*$)/gm

/**
 * Replaces the root-relative targets of links, images and definitions. Code and everything else stays as it is. Linear
 * time.
 *
 * @param change Receives a target as written, with its query and anchor: `/guides/x?y#z`.
 */
export function mapRootLinks(markdown: string, change: (target: string) => string): string {
  if (!rootLinkMaybe.test(markdown)) return markdown
  return mapProse(markdown, (prose) =>
    prose
      .split(blockBreak)
      .map((block) => (rootLinkMaybe.test(block) ? mapBlock(block, change) : block))
      .join('\n'),
  )
}

/** Lists the targets that `mapRootLinks` would replace. */
export function listRootLinks(markdown: string): string[] {
  const targets: string[] = []
  mapRootLinks(markdown, (target) => {
    targets.push(target)
    return target
  })
  return targets
}

function mapBlock(text: string, change: (target: string) => string): string {
  const spans = listCodeSpans(text)
  let next = 0
  return text.replace(rootLink, (whole: string, before: string, target: string, at: number) => {
    while ((spans[next]?.end ?? Infinity) <= at) next++
    if ((spans[next]?.start ?? Infinity) < at) return whole
    return before + (target.startsWith('<') ? `<${change(target.slice(1, -1))}>` : change(target))
  })
}

interface Span {
  start: number
  end: number
}

/** A run of backticks begins a span if a run of the same length follows. */
function listCodeSpans(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
  const closings = Map.groupBy(runs.toReversed(), sizeOf)
  const spans: Span[] = []
  for (const { start, end } of runs) {
    if (start < (spans.at(-1)?.end ?? 0)) continue
    const opening = { start: isEscaped(text, start) ? start + 1 : start, end }
    const candidates = closings.get(sizeOf(opening)) ?? []
    while ((candidates.at(-1)?.start ?? Infinity) < end) candidates.pop()
    const closing = candidates.at(-1)
    if (closing !== undefined) spans.push({ start: opening.start, end: closing.end })
  }
  return spans
}

const sizeOf = ({ start, end }: Span) => end - start

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}
