/** Joins the non-empty blocks with blank lines. */
export function joinBlocks(blocks: readonly string[], separator = '\n\n'): string {
  return blocks
    .map((block) => block.replace(/^(?:[ \t]*\n)+/, '').trimEnd())
    .filter((block) => block !== '')
    .join(separator)
}

/** Joins all lines into one, as table cells require. Splits, because matching whitespace takes quadratic time. */
export function toLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** A table; bars in cells are escaped. */
export function joinRows(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const join = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`
  return [join(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(join)].join('\n')
}

/** Indents every non-empty line. */
export function indentLines(text: string, indent: string): string {
  return text.replace(/^(?=[^\n])/gm, indent)
}

/** Fences code, with a fence longer than any run of backticks in it. */
export function fenceCode(code: string, info: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info.replace(/[`\n]/g, ' ').trim()}\n${code}\n${fence}`
}

/** Inline code, delimited by as many backticks as needed. */
export function inlineCode(code: string): string {
  if (!code.includes('`')) return `\`${code}\``
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const marker = '`'.repeat(longest + 1)
  return `${marker} ${code} ${marker}`
}

/** Fence options that only affect presentation. */
const looks =
  /\{[^}]*\}|\b(?:icon|theme|highlight|focus|lines|wrap|expandable|startLine|ref)=(?:"[^"]*"|'[^']*'|\{[^}]*\})|(?<=^|\s)(?:lines|wrap|expandable|copy|twoslash|showLineNumbers|noLineNumbers|runnable)(?=\s|$)/g

const quotedTitle = /(?:^|\s)(?:title|filename|file)=(?:"([^"]*)"|'([^']*)')/
const quotedTab = /(?:^|\s)tab=(?:"([^"]*)"|'([^']*)')/

/** `js server.js {1,3} lines` → `js server.js`: keeps only language and title. */
export function readFenceInfo(language: string | null | undefined, meta: string | null | undefined): string {
  const name = (language ?? '').replace(/\{.*$/, '')
  const rest = (meta ?? '').slice(0, 500).replace(looks, ' ')
  // Without a title, the tab's label serves as one.
  const title = quotedTitle.exec(rest) ?? quotedTab.exec(rest)
  const words =
    title === null ? dropMarkers(rest).replace(/\b[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, ' ') : (title[1] ?? title[2] ?? '')
  return `${name} ${words
    .replace(/^\s*["']|["']\s*$/g, '')
    .replace(/\s+/g, ' ')
    .trim()}`.trim()
}

/** A single quoted text may be a title; several, and patterns between slashes, are highlights. */
function dropMarkers(words: string): string {
  const bare = words.replace(/(?<=^|\s)\/(?:[^/\\\n]|\\.){1,200}\/(?=\s|$)/g, ' ')
  const quoted = /(?<=^|\s)(?:"[^"]*"|'[^']*')(?=\s|$)/g
  return (bare.match(quoted) ?? []).length > 1 ? bare.replace(quoted, ' ') : bare
}
