import type { Root } from 'mdast'
import { mapProse } from './code-fence.ts'
import { replaceOutsideSpans } from './code-spans.ts'
import { MarkdownSyntaxError } from './markdown-syntax-error.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { isPlaceholder } from './strip-tags.ts'

const attemptsMax = 40
/** In characters of ordinary text, of which the parser reads about one in a microsecond. */
const costMax = 800_000

/**
 * Parses MDX, working around faults one after the other, so that one fault does not cost the whole page.
 *
 * @param onFault Called with the first fault if the page could only be parsed by working around it.
 * @returns The tree, and the text that its positions refer to: with the same lines as the source.
 * @throws {MarkdownSyntaxError} the first fault, if the page has too many or one that cannot be worked around.
 */
export function parseRepaired(
  source: string,
  onFault: (fault: MarkdownSyntaxError) => void,
): { root: Root; text: string } {
  let text = source
  let first: MarkdownSyntaxError | null = null
  let costLeft = costMax
  for (let attempt = 1; ; attempt++) {
    try {
      const root = parseMarkdown(text, 'mdx')
      if (first !== null) onFault(first)
      return { root, text }
    } catch (error) {
      if (!(error instanceof MarkdownSyntaxError)) throw error
      first ??= error
      costLeft -= estimateCost(text)
      const repaired = attempt === attemptsMax || costLeft < 0 ? null : repairFault(text, error)
      if (repaired === null || repaired === text) throw first
      text = repaired
    }
  }
}

/** The parser reads an expression again at each closing brace. */
function estimateCost(text: string): number {
  const braces = text.split('}').length - 1
  return text.length + braces ** 2 / 2
}

const unclosed = /closing tag for `<[^`]*>` \((\d+):(\d+)-(\d+):(\d+)\)/

function repairFault(text: string, { message, place }: MarkdownSyntaxError): string | null {
  const [isUnclosed, ...places] = unclosed.exec(message) ?? []
  if (isUnclosed !== undefined) {
    const [line = 1, column = 1, lastLine = 1, lastColumn = 1] = places.map(Number)
    return closeTag(text, offsetOf(text, line, column), offsetOf(text, lastLine, lastColumn))
  }
  if (place === null) return null
  if (message.startsWith('Unexpected closing')) return dropClosingTag(text, place.offset)
  if (place.parser === 'micromark-extension-mdx-jsx') return escapeTag(text, place.offset)
  if (place.parser === 'micromark-extension-mdx-expression') return repairBraces(text, place.offset)
  return place.parser === 'micromark-extension-mdxjs-esm' ? repairModuleCode(text, place.offset) : null
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let left = line; left > 1; left--) start = text.indexOf('\n', start) + 1
  return start + column - 1
}

function splice(text: string, start: number, end: number, filling: string): string {
  return text.slice(0, start) + filling + text.slice(end)
}

const voidTag =
  /<(?:area|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^"'<>{}]){0,200}?>/gi

/** An unclosed tag ends where it starts, because nobody knows where else; `<slug>` is text. */
function closeTag(text: string, start: number, end: number): string | null {
  const written = text.slice(start, end)
  if (!written.startsWith('<') || !written.endsWith('>')) return null
  if (written === '<>') return splice(text, start, end, '')
  const [, name = '', attributes = ''] = /^<([^\s/>]+)([^]*)>$/.exec(written) ?? []
  if (isPlaceholder(name, attributes)) return splice(text, start, start, '\\')
  const closed = splice(text, end - 1, end, '/>')
  if (!new RegExp(voidTag, 'i').test(written)) return closed
  // Authors who write `<br>` once do so throughout the page.
  return mapProse(text, (prose) =>
    replaceOutsideSpans(prose, voidTag, ([tag]) => (tag.endsWith('/>') ? tag : `${tag.slice(0, -1)}/>`)),
  )
}

function dropClosingTag(text: string, offset: number): string | null {
  const start = text.lastIndexOf('<', offset)
  const end = text.indexOf('>', start)
  const tag = text.slice(start, end + 1)
  return start === -1 || !/^<\/[^<>]{0,200}>$/.test(tag)
    ? null
    : splice(text, start, end + 1, tag.replace(/[^\n]/g, ''))
}

/** What looks like a tag but is not one: comments, addresses, comparisons and anything else. */
function escapeTag(text: string, offset: number): string | null {
  const start = text.lastIndexOf('<', offset)
  if (start === -1) return null
  const written = text.slice(start, start + 10)
  const outsideCode = (pattern: RegExp, write: (found: string) => string) =>
    mapProse(text, (prose) => replaceOutsideSpans(prose, pattern, ([found]) => write(found)))
  if (written.startsWith('<!--')) return outsideCode(/<!--[^]*?(?:-->|$)/g, (found) => found.replace(/[^\n]/g, ''))
  if (/^<(?:https?:|mailto:)/.test(written)) {
    return outsideCode(/<(?:https?:|mailto:)[^\s<>]{1,2000}>/g, (found) => found.slice(1, -1))
  }
  if (/^<[^A-Za-z/!$_{>]/.test(written)) return outsideCode(/(?<!\\)<(?![A-Za-z/!$_{>])/g, () => String.raw`\<`)
  return splice(text, start, start, '\\')
}

/** A brace that opens no expression is text; around the value of a property, it becomes a quote. */
function repairBraces(text: string, offset: number): string | null {
  const start = findOpenBrace(text, offset)
  if (start === null) return null
  if (!/=\s*$/.test(text.slice(Math.max(0, start - 20), start))) return splice(text, start, start, '\\')
  const end = /\}(?=\s*(?:\/?>|[\w:-]+\s*[=>]))/.exec(text.slice(start, start + 5000))
  if (end === null) return null
  const value = text.slice(start + 1, start + end.index).replaceAll('"', "'")
  return splice(text, start, start + end.index + 1, `"${value}"`)
}

const outsideBraces = /\{\/\*[^]*?\*\/\}|(`+)(?:(?!\1)[^\n])*\1|\\[{}]|[{}]/g
const insideBraces = /\/\*[^]*?\*\/|(["'`])(?:(?!\1)[^\\\n]|\\.)*\1|[{}]/g

/** Finds the outermost brace that is open at an offset. */
function findOpenBrace(text: string, offset: number): number | null {
  const open: number[] = []
  mapProse(text, (prose, start) => {
    let index = 0
    while (start + index < offset) {
      const pattern = open.length === 0 ? outsideBraces : insideBraces
      pattern.lastIndex = index
      const token = pattern.exec(prose)
      if (token === null || start + token.index >= offset) break
      if (token[0] === '{') open.push(start + token.index)
      else if (token[0] === '}') open.pop()
      index = pattern.lastIndex
    }
    return prose
  })
  return open[0] ?? null
}

const moduleCode =
  /^(?:import\s+(?:["'{*]|[\w$]+\s*(?:,|from\b)|[^\n]{1,300}["'];?\s*$)|export\s+(?:const|let|var|default|async|function|class|type|interface|[{*]))/m

/** Module code that does not parse is left out; a sentence that begins with `import` is text. */
function repairModuleCode(text: string, offset: number): string {
  const blank = text.lastIndexOf('\n\n', Math.max(0, offset - 1))
  const start = blank === -1 ? 0 : blank + 2
  const next = text.indexOf('\n\n', start)
  const end = next === -1 ? text.length : next
  const block = text.slice(start, end)
  const filling = moduleCode.test(block)
    ? block.replace(/[^\n]/g, '')
    : block.replace(/^([ie])(?=(?:mport|xport)\b)/gm, (letter) => `&#${letter.charCodeAt(0)};`)
  return splice(text, start, end, filling)
}
