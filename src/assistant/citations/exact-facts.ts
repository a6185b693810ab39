const factsMax = 200
const fencedCode = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^[ \t>]*\1|$(?![\s\S]))/gm
const codeSpan = /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g
const codeMark = /`|~{3}/
const fenceMark = /`{3}|~{3}/
const linkTarget = /\]\([^()\s]*(?:\s+"[^"]*")?\)/g
/** Numbers with their dots and attached characters: versions, error codes, amounts. List markers are excluded. */
const number = /(?<![\p{L}\p{N}_.-])v?\d[\d.,]*(?:[-.]?[\p{L}\d]+)*/gu
const itemMark = /^[ \t>]*\d{1,9}[.)](?=\s)/gm
const flag = /(?<![\p{L}\p{N}_-])--?[a-z][\w-]+/giu
/** Words that never occur in prose: `snake_case`, `camelCase`, `UPPER-1`. */
const identifier = /(?<![\p{L}\p{N}_])(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]+-\d+)(?![\p{L}\p{N}_])/gu

/** Each pattern with a cheap precondition; trying a pattern in vain costs many times as much. */
const exactWords: readonly { sign: RegExp; pattern: RegExp }[] = [
  { sign: /\d/, pattern: number },
  { sign: /-[a-z]/i, pattern: flag },
  { sign: /\w_\w|[a-z][A-Z]|[A-Z]-\d/, pattern: identifier },
]

/** Every fact contains one of these. */
const factSign = /[\d`~_-]|[a-z][A-Z]/

/** The exact statements of a text without duplicates: code, flags, identifiers, versions, numbers; every line of fenced code. */
export function listFacts(markdown: string): string[] {
  if (!factSign.test(markdown)) return []
  const facts: string[] = []
  const prose = codeMark.test(markdown) ? takeCode(markdown, facts) : markdown
  const unmarked = withoutLinkTargets(prose).replace(itemMark, '')
  const words = unmarked.includes('\\') ? unmarked.replace(/\\(?=[!-/:-@[-`{-~])/g, '') : unmarked
  for (const { sign, pattern } of exactWords) if (sign.test(words)) facts.push(...(words.match(pattern) ?? []))
  const bare = facts.map((fact) => fact.trim().replace(/[.,]+$/, '')).filter((fact) => fact !== '')
  return [...new Set(bare)].slice(0, factsMax)
}

/** Adds what is code to the facts. @returns The text without it. */
function takeCode(markdown: string, facts: string[]): string {
  const withoutFences = fenceMark.test(markdown)
    ? markdown.replace(fencedCode, (_, _marker: string, code: string) => {
        facts.push(...code.split('\n'))
        return '\n'
      })
    : markdown
  return withoutFences.replace(codeSpan, (_, _marker: string, code: string) => {
    facts.push(code)
    return ' '
  })
}

/** @returns Whether the texts contain a fact, comparing both as rendered. */
export function createFactFinder(texts: readonly string[]): (fact: string) => boolean {
  const sources = toPlain(texts.join('\n'))
  return (fact) => holdsFact(sources, fact)
}

/**
 * Whether a text contains a fact as a whole: not `30` in `300`, `1` in `1.5` or `--dry` in `--dry-run`.
 *
 * @param plain As `toPlain` writes it.
 */
export function holdsFact(plain: string, fact: string): boolean {
  return holdsPlain(plain, toPlain(fact))
}

/** As `holdsFact`. @param wanted The fact as `toPlain` writes it. */
export function holdsPlain(plain: string, wanted: string): boolean {
  for (let at = plain.indexOf(wanted); at !== -1; at = plain.indexOf(wanted, at + 1)) {
    if (
      isWhole(wanted, plain.slice(Math.max(0, at - 2), at), plain.slice(at + wanted.length, at + wanted.length + 2))
    ) {
      return true
    }
  }
  return false
}

function isWhole(fact: string, before: string, after: string): boolean {
  if (/^\d/.test(fact) && /\d[.,]?$/.test(before)) return false
  if (/^\p{L}/u.test(fact) && /[\p{L}\p{N}_]$/u.test(before)) return false
  if (/\d$/.test(fact) && /^[.,]?\d/.test(after)) return false
  if (fact.startsWith('-') && after.startsWith('-')) return false
  // A plural is no other word.
  return !/\p{L}$/u.test(fact) || !/^(?!s(?![\p{L}\p{N}_]))[\p{L}\p{N}_]/u.test(after)
}

/** Leaves of links what is read. */
export function withoutLinkTargets(markdown: string): string {
  return markdown.includes('](') ? markdown.replace(linkTarget, ']') : markdown
}

/** Roughly as rendered: without Markdown marks and the targets of links, in lower case, with single spaces. */
export function toPlain(markdown: string): string {
  return withoutLinkTargets(markdown.toLowerCase())
    .replace(/[\\`*[\]<>]|!(?=\[)/g, '')
    .replace(/[^\S ]\s*| \s+/g, ' ')
    .trim()
}
