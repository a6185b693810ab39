/** Line ends for some readers of lines (Python's `splitlines`, regular expressions), which JSON leaves as they are. */
const foreignLineEnds = /[\u0085\u2028\u2029]/
const allForeignLineEnds = /[\u0085\u2028\u2029]/g

/** What JSON has as it is; nearly all text of an answer is of these. */
const plainText = /^[ !#-[\]-~]*$/

/**
 * JSON on one line, whatever splits lines: U+0085, U+2028 and U+2029 are escaped besides what `JSON.stringify` escapes.
 * Half a surrogate pair becomes an escape as well, so a pair that was cut between two deltas is whole again once a
 * client joins them. Every such character stands inside a string, because JSON has them nowhere else.
 */
export function encodeStreamJson(value: unknown): string {
  if (typeof value === 'string' && plainText.test(value)) return `"${value}"`
  const json = JSON.stringify(value)
  return foreignLineEnds.test(json) ? json.replace(allForeignLineEnds, escapeCharacter) : json
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
