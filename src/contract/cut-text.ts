const cutMark = '\n\n[…]\n\n'

/** Returns at most `charsMax` characters (UTF-16 code units) from the start, never half a surrogate pair. Pure. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  return text.slice(0, isPairAt(text, charsMax) ? charsMax - 1 : charsMax)
}

/** Lengths of the parts that a cut keeps. */
export function cutLengths(charsMax: number): { head: number; tail: number } {
  const head = Math.floor(charsMax * 0.75)
  return { head, tail: charsMax - head }
}

/**
 * Cuts the middle out of a text that is too long: keeps three quarters of `charsMax` from the start and one quarter
 * from the end, with a marker in between. Splits no surrogate pair. Pure.
 *
 * @param charsMax UTF-16 code units to keep, excluding the marker.
 */
export function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const { head, tail } = cutLengths(charsMax)
  const tailStart = text.length - tail
  const end = text.slice(isPairAt(text, tailStart) ? tailStart + 1 : tailStart)
  // Engines keep the whole text alive for a slice of it, but not for a clone.
  return structuredClone(cutText(text, head) + cutMark + end)
}

/** Whether this index splits a surrogate pair. */
function isPairAt(text: string, index: number): boolean {
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)]
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
