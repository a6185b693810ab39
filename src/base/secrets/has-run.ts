const space = /\s/

/**
 * Whether a text has at least so many characters in a row without a space. Checks the last of them first, which skips most
 * of the text; a pattern would try every character of every word.
 */
export function hasRun(text: string, charsMin: number): boolean {
  let start = 0
  while (start + charsMin <= text.length) {
    let place = start + charsMin - 1
    while (place >= start && !isSpace(text, place)) place--
    if (place < start) return true
    start = place + 1
  }
  return false
}

function isSpace(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  return code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : code >= 0xa0 && space.test(text.charAt(place))
}
