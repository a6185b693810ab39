/**
 * Characters that readers do not see but models and indexes do: zero-width spaces, soft hyphens, byte order marks,
 * direction controls, invisible operators, fillers, annotations, the tag block, and variation selectors in a row. They
 * can carry hidden instructions.
 */
export const invisibleCharacters =
  /[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E007F}]|(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu

/** Joiners shape emoji and several scripts, so only those next to ASCII or at an end are removed. */
// oxlint-disable-next-line no-control-regex -- matches all of ASCII
export const strayJoiner = /[\u200C\u200D](?=[\u0000-\u007F\u200C\u200D]|$)|(?<=[\u0000-\u007F]|^)[\u200C\u200D]/gu

/** Control characters other than tab, line feed, carriage return and next line. */
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
export const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F]/gu

/** Removes invisible characters and normalizes line endings to `\n`. Keeps the number of lines. Pure. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisibleCharacters, '')
    .replace(strayJoiner, '')
    .replace(controlCharacters, '')
}

/** Truncates to at most `charsMax` UTF-16 units without splitting a surrogate pair. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const last = text.charCodeAt(charsMax - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax)
}
