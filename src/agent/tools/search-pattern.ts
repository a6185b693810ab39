import { RE2JS } from 're2js'
import { AppError } from '../../contract/app-error.ts'

/** A pattern that takes linear time on any text. */
export interface SearchPattern {
  /** Whether a text holds it. */
  test(text: string): boolean
  /** Replaces all occurrences. @param isLiteral Whether `$1` in the replacement means itself. */
  replaceAll(text: string, replacement: string, isLiteral: boolean): { text: string; count: number }
  /** Set if the pattern was taken literally although a regular expression was asked for. */
  note: string | null
}

export interface PatternOptions {
  isLiteral: boolean
  ignoreCase: boolean
  /** Whether only whole words count. */
  isWord?: boolean
}

const patternCharsMax = 2_000
const programSizeMax = 20_000
/** For one pattern over all texts: finding a match is linear, but each may scan the rest of the text again. */
const replaceMsMax = 1_000
const matchesPerLook = 64

/** What RE2 lacks, for the advice. */
const lacking = [
  { in: /\(\?=|\(\?!/, what: 'look-ahead' },
  { in: /\(\?<=|\(\?<!/, what: 'look-behind' },
  { in: /\\[1-9]/, what: 'back references' },
  { in: /[*+?}]\+|\(\?>/, what: 'possessive or atomic groups' },
]

/**
 * Compiles a pattern in the syntax of RE2, which ripgrep shares.
 *
 * @throws {AppError} that says what to write instead.
 */
export function compilePattern(pattern: string, options: PatternOptions): SearchPattern {
  if (pattern.length > patternCharsMax) {
    throw new AppError(
      'invalid_request',
      `The pattern has more than ${patternCharsMax} characters. Search for a part of it.`,
    )
  }
  const { isLiteral } = options
  try {
    const compiled = wrap(compile(isLiteral ? RE2JS.quote(pattern) : pattern, options), null)
    const isPlain = isLiteral && !options.ignoreCase && options.isWord !== true
    return isPlain ? { ...compiled, test: (text) => text.includes(pattern) } : compiled
  } catch (error) {
    const found = lacking.find((feature) => feature.in.test(pattern))
    if (found !== undefined) {
      throw new AppError(
        'invalid_request',
        `The pattern uses ${found.what}, which RE2 lacks. Search without, and look at the lines.`,
      )
    }
    // A call such as `init(` is meant as it is.
    if (!/unexpected|missing closing|missing argument|invalid repeat|invalid escape/i.test(String(error)))
      throw toRefusal(error)
    const note = `It is not a valid regular expression (${explain(error)}), so it was searched for as plain text.`
    return wrap(compile(RE2JS.quote(pattern), options), note)
  }
}

function compile(source: string, { ignoreCase, isWord = false }: PatternOptions): RE2JS {
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  const compiled = RE2JS.compile(isWord ? `\\b(?:${source})\\b` : source, flags)
  if (compiled.programSize() <= programSizeMax) return compiled
  throw new AppError('invalid_request', 'The pattern repeats too much. Search for a simpler one.')
}

function wrap(compiled: RE2JS, note: string | null): SearchPattern {
  let msLeft = replaceMsMax
  return {
    note,
    test: (text) => compiled.test(text),
    replaceAll(text, replacement, isLiteral) {
      const matcher = compiled.matcher(text)
      let count = 0
      let result = ''
      let from = 0
      let lookedAt = performance.now()
      while (matcher.find()) {
        if (count % matchesPerLook === 0) {
          const now = performance.now()
          msLeft -= now - lookedAt
          lookedAt = now
          if (msLeft < 0) throw tooSlow()
        }
        const { start, end } = { start: matcher.start(), end: matcher.end() }
        result +=
          text.slice(from, start) +
          (isLiteral ? replacement : expand(replacement, (index) => matcher.group(index) ?? '', matcher.groupCount()))
        from = end
        count++
      }
      return { text: result + text.slice(from), count }
    },
  }
}

/** `$1`, `${1}` and `\1` stand for groups, `$$` for a dollar sign. */
function expand(replacement: string, group: (index: number) => string, count: number): string {
  return replacement.replaceAll(/\$\$|\$\{(\d{1,2})\}|[$\\](\d{1,2})|\$&/g, (match, braced?: string, bare?: string) => {
    if (match === '$$') return '$'
    const index = Number(braced ?? bare ?? 0)
    return index <= count ? group(index) : match
  })
}

const tooSlow = () =>
  new AppError(
    'invalid_request',
    'The pattern takes too long on texts of this size. Let it match less, or narrow it with "under". Nothing was changed.',
  )

const explain = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '')

function toRefusal(error: unknown): AppError {
  return new AppError('invalid_request', `The pattern cannot be used: ${explain(error)}. Correct it, or set "literal".`)
}
