/** A fenced block of settings, each below a comment that explains it. */
export interface AnnotatedCode {
  /** The lines that open and close the fence. */
  fence: { open: string; close: string }
  /** At least two; in order they are all lines between, without blank lines at their ends. */
  stanzas: string[]
}

const opening = /^[ \t]*(?:`{3,}|~{3,})[ \t]*([\w-]*)/
/** Languages of settings files. A program is not split, however many comments it has. */
const languages = /^(?:|ya?ml|toml|ini|conf|cfg|properties|env|dotenv|hcl|terraform|json5|jsonc|nginx|text|plaintext)$/i
const comment = /^\s*(?:#|\/\/|;)\s*\S/
const setting = /^\s*(?:\[\s?)?(?:-\s)?["']?[\w$<>.*/-]+["']?\s*[:=]/
const leastAnnotated = { count: 2, share: 0.6 }

/**
 * Splits a fenced block such as an annotated example of a configuration into settings with their comments, which are
 * read like rows of a table. Null if it is anything else. Linear in its length.
 */
export function splitAnnotatedCode(block: string): AnnotatedCode | null {
  const lines = block.split('\n')
  const [open = '', close = ''] = [lines[0], lines.at(-1)]
  const language = opening.exec(open)?.[1]
  if (language === undefined || !languages.test(language) || !opening.test(close) || lines.length < 4) return null
  const stanzas = groupLines(lines.slice(1, -1))
  const annotated = stanzas.filter(
    (stanza) => comment.test(stanza[0] ?? '') && stanza.some((line) => setting.test(line)),
  )
  const isList = annotated.length >= leastAnnotated.count && annotated.length >= leastAnnotated.share * stanzas.length
  return isList ? { fence: { open, close }, stanzas: stanzas.map((stanza) => stanza.join('\n').trimEnd()) } : null
}

/** A comment below a setting or a blank line begins the next stanza, and so does anything below a blank line. */
function groupLines(lines: readonly string[]): string[][] {
  const groups: string[][] = []
  let previous = ''
  for (const line of lines) {
    const isComment = comment.test(line)
    const begins = line.trim() !== '' && (previous.trim() === '' || (isComment && !comment.test(previous)))
    if (begins || groups.length === 0) groups.push([])
    groups.at(-1)?.push(line)
    previous = line
  }
  return groups
}
