/**
 * An opening fence, also after list markers and quote marks. The info string of a backtick fence contains no backtick.
 */
const openingFence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/

/** Returns the fence marker if the line opens a fenced block, else null. */
export function readFenceMarker(line: string): string | null {
  return openingFence.exec(line)?.[1] ?? null
}

/** Whether a line closes the fence that `marker` opened. */
export function closesFence(line: string, marker: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd()
  return bare.length >= marker.length && bare === marker.charAt(0).repeat(bare.length)
}

/** Returns a stateful predicate for lines of fenced code, fence lines included. Call it for every line in order. */
export function createFenceTracker(): (line: string) => boolean {
  let marker: string | null = null
  return (line) => {
    if (marker !== null) {
      if (closesFence(line, marker)) marker = null
      return true
    }
    marker = readFenceMarker(line)
    return marker !== null
  }
}

/** Rewrites the text between fenced blocks; `start` is its offset. */
export function mapProse(text: string, rewrite: (prose: string, start: number) => string): string {
  const isCode = createFenceTracker()
  const parts: string[] = []
  let prose: string[] = []
  let offset = 0
  const flush = () => {
    const written = prose.join('\n')
    if (prose.length > 0) parts.push(rewrite(written, offset - written.length - 1))
    prose = []
  }
  for (const line of text.split('\n')) {
    if (isCode(line)) {
      flush()
      parts.push(line)
    } else prose.push(line)
    offset += line.length + 1
  }
  flush()
  return parts.join('\n')
}
