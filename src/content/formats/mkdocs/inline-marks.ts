import { replaceOutsideSpans } from '../../markdown/code-spans.ts'

interface Mark {
  /** The extension of Python-Markdown that reads it. */
  extension: string
  pattern: RegExp
  write: (match: RegExpExecArray) => string
}

const superscripts = new Map(Array.from('0123456789+-', (digit, index) => [digit, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'.charAt(index)]))
const symbols = new Map(
  Object.entries({
    '(tm)': '™',
    '(c)': '©',
    '(r)': '®',
    '-->': '→',
    '<--': '←',
    '<-->': '↔',
    '=/=': '≠',
    '+/-': '±',
    '1/4': '¼',
    '1/2': '½',
    '3/4': '¾',
  }),
)

const marks: readonly Mark[] = [
  // What an editor proposes is read as accepted.
  {
    extension: 'critic',
    pattern: /\{--[^{}\n]{0,1000}--\}|\{>>[^{}\n]{0,1000}<<\}/g,
    write: () => '',
  },
  {
    extension: 'critic',
    pattern: /\{~~[^{}~\n]{0,1000}~>([^{}~\n]{0,1000})~~\}|\{\+\+([^{}\n]{1,1000}?)\+\+\}|\{==([^{}\n]{1,1000}?)==\}/g,
    write: ([, replaced, added, marked]) => replaced ?? added ?? marked ?? '',
  },
  {
    extension: 'keys',
    pattern: /\+\+((?:"[^"\n]{1,50}"|[\w-]{1,30})(?:\+(?:"[^"\n]{1,50}"|[\w-]{1,30})){0,8})\+\+/g,
    write: ([, keys = '']) => (keys.match(/"[^"]*"|[^+]+/g) ?? []).map(nameKey).join('+'),
  },
  { extension: 'mark', pattern: /==(?=\S)((?:(?!==)[^\n]){1,500})(?<=\S)==/g, write: ([, marked = '']) => marked },
  { extension: 'caret', pattern: /\^\^(?=\S)((?:(?!\^\^)[^\n]){1,500})(?<=\S)\^\^/g, write: ([, added = '']) => added },
  {
    extension: 'caret',
    pattern: /(?<=[^\s[^])\^([^\s^[\]]{1,50})\^/g,
    write: ([, raised = '']) => Array.from(raised, (character) => superscripts.get(character) ?? character).join(''),
  },
  { extension: 'tilde', pattern: /(?<=[^\s~])~([^\s~]{1,50})~(?!~)/g, write: ([, lowered = '']) => lowered },
  {
    extension: 'smartsymbols',
    pattern: /(?<=^|[\s([])(?:<?-->|<--|=\/=|\+\/-|[13]\/[24])(?=[\s)\].,;:]|$)|\((?:tm|c|r)\)/gi,
    write: ([symbol]) => symbols.get(symbol.toLowerCase()) ?? symbol,
  },
  {
    extension: 'progressbar',
    pattern: /^[ \t]*\[=[ \t]*(\d{1,5}(?:\.\d{1,5})?%)[ \t]*(?:"([^"\n]{0,200})")?\]/g,
    write: ([, share = '', label = '']) => `${share} ${label}`.trim(),
  },
]

/** `#!python print()` and `:::python print()` name the language of code in a line. */
const languageInCode = /(?<=(?<!`)`)(?:#!|:::)[\w+-]{1,30}[ \t]+(?=[^`\n]{1,500}`(?!`))/g

const nameKey = (key: string): string =>
  key
    .replaceAll('"', '')
    .replace(/(^|-)(\p{L})/gu, (_, dash: string, letter: string) => `${dash ? ' ' : ''}${letter.toUpperCase()}`)

/**
 * Writes the inline syntax of the extensions that a site has turned on as what readers see: pressed keys, highlights,
 * editors' marks, symbols.
 *
 * @param extensions Names, as in `pymdownx.keys`.
 */
export function writeInlineMarks(line: string, extensions: ReadonlySet<string>): string {
  // An arrow may end a comment.
  if (line.includes('<!--') || /^\s*-->/.test(line)) return line
  const hasLanguages = extensions.has('pymdownx.inlinehilite') && line.includes('`')
  const start = hasLanguages ? line.replace(languageInCode, '') : line
  return marks.reduce((text, { extension, pattern, write }) => {
    if (!extensions.has(`pymdownx.${extension}`)) return text
    return text.search(pattern) === -1 ? text : replaceOutsideSpans(text, pattern, write)
  }, start)
}
