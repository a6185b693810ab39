/** A name that is called: `common()`, `Layout.simple(x)`. In prose a space precedes the bracket. */
const callPattern = /[\p{L}_$][\p{L}\p{N}_$]*(?=\()/gu

/** Longer runs of letters are not names. */
const nameCharsMax = 64

/**
 * A term for every call in a text, so that a question about `common()` finds where it is defined and called, rather
 * than every page that contains the word "common".
 *
 * @returns In order, with repetitions. The brackets distinguish them from words.
 */
export function listCallTerms(text: string): string[] {
  return Array.from(text.matchAll(callPattern), ([name]) => name)
    .filter((name) => name.length <= nameCharsMax)
    .map((name) => `${name.toLowerCase()}()`)
}
