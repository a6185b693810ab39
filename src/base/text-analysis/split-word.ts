/** A word split into the name of the whole and its parts. */
export interface WordParts {
  /** The whole and its dotted or slashed segments, lower case; empty for a plain word. */
  wholes: string[]
  /** Plain words in order, case preserved. */
  parts: string[]
}

const wholeCharsMax = 64
const partCharsMax = 40
/** `1.2.3`, `v2.0`, `3.10-rc.1`. A single number is not a version. */
const versionPattern = /^[vV]?(\d+(?:\.\d+)+)([-.+]?[a-z0-9]+(?:[-.][a-z0-9]+)*)?$/i
const casePattern = /\p{Lu}+(?!\p{Ll})\p{M}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+|\p{L}/gu

/**
 * Splits an identifier. `maxTokens`, `max_tokens` and `max-tokens` share the whole `maxtokens`, because writers mix the
 * styles; `ray.data.mapBatches` is also known by its segment `mapbatches`; `--flag`, `$group` and `@decorator` keep their
 * sign in one whole, because there it is part of the name.
 */
export function splitWord(word: string): WordParts {
  const version = versionPattern.exec(word)
  if (version) return splitVersion(word, version[1] ?? word)
  const sign = /^(?:--?|[$@])/.exec(word)?.[0] ?? ''
  const name = word.slice(sign.length)
  const segments = name.split(/[./:#]+/).filter(Boolean)
  const parts: string[] = []
  const wholes: string[] = []
  for (const segment of segments) {
    const segmentParts = splitCase(segment)
    const joined = segmentParts.join('')
    if (segmentParts.length > 1 && joined.length <= wholeCharsMax) wholes.push(joined.toLowerCase())
    parts.push(...dropSingleLetters(segmentParts).map((part) => part.slice(0, partCharsMax)))
  }
  if (name.length <= wholeCharsMax) {
    if (segments.length > 1) wholes.push(name.toLowerCase())
    if (sign !== '' && name !== '') wholes.push(word.toLowerCase())
  }
  if (/^\p{L}(?:\+\+|#)$/u.test(name)) wholes.push(name.toLowerCase())
  return { wholes, parts }
}

/** A version is found by its full name and by its release line: `1.2.3` by `1.2`. */
function splitVersion(word: string, numbers: string): WordParts {
  const full = word.toLowerCase().replace(/^v/, '').slice(0, wholeCharsMax)
  const line = numbers.split('.').slice(0, 2).join('.')
  return { wholes: [...new Set([full, numbers, line])], parts: [] }
}

function splitCase(segment: string): string[] {
  return segment.split(/[-_+]+/).flatMap((piece) => piece.match(casePattern) ?? [])
}

/** The `8` of `utf8` means nothing on its own; a word that is a single letter or digit stays. */
function dropSingleLetters(parts: readonly string[]): string[] {
  const long = parts.filter((part) => part.length > 1)
  return long.length > 0 ? long : parts.length > 1 ? [] : [...parts]
}
