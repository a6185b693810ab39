/** Line breaks for some line readers (Python's `splitlines`, regular expressions), which JSON does not escape. */
const foreignLineEnds = /[\u0085\u2028\u2029]/
const allForeignLineEnds = /[\u0085\u2028\u2029]/g

/** Characters that JSON does not escape: nearly all text of an answer. */
const plainText = /^[ !#-[\]-~]*$/

/**
 * Serializes JSON on one line, however lines are split: escapes U+0085, U+2028 and U+2029 in addition to what
 * `JSON.stringify` escapes. A lone surrogate is escaped too, so a pair split across two deltas is whole again once a
 * client joins them. In JSON these characters occur only inside strings.
 */
export function encodeStreamJson(value: unknown): string {
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`
  const json = JSON.stringify(value)
  return foreignLineEnds.test(json) ? json.replace(allForeignLineEnds, escapeCharacter) : json
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
