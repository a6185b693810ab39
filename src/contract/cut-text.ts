const cutMark = '\n\n[…]\n\n'

/** The first characters (UTF-16 code units) of a text, at most `charsMax`, without half a surrogate pair at the end. Pure. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  return text.slice(0, isPairAt(text, charsMax) ? charsMax - 1 : charsMax)
}

/** How a text of this bound is cut: the lengths of the parts that stay. */
export function cutLengths(charsMax: number): { head: number; tail: number } {
  const head = Math.floor(charsMax * 0.75)
  return { head, tail: charsMax - head }
}

/**
 * Cuts the middle out of a text that is too long: keeps three quarters of `charsMax` from its start and one quarter from
 * its end, with a mark between them. Splits no surrogate pair. Pure.
 *
 * @param charsMax UTF-16 code units to keep, without the mark.
 */
export function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const { head, tail } = cutLengths(charsMax)
  const tailStart = text.length - tail
  const end = text.slice(isPairAt(text, tailStart) ? tailStart + 1 : tailStart)
  // Engines keep the whole text alive for a slice of it; a clone does not.
  return structuredClone(cutText(text, head) + cutMark + end)
}

/** Whether this index splits a surrogate pair. */
function isPairAt(text: string, index: number): boolean {
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)]
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
