/** An opening fence, also behind list markers and quote marks. A backtick fence has no backtick in its info string. */
const openingFence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/

/** The marker of the fenced block that a line opens, else null. */
export function readFenceMarker(line: string): string | null {
  return openingFence.exec(line)?.[1] ?? null
}

/** Whether a line closes the fence that `marker` opened. */
export function closesFence(line: string, marker: string): boolean {
  const bare = line.replace(/^[ \t>]+/, '').trimEnd()
  return bare.length >= marker.length && bare === marker.charAt(0).repeat(bare.length)
}

/** Tells lines of fenced code from others, fence lines included, going from the top. */
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
