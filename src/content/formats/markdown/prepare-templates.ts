import { replaceEmojiCodes } from '../../flatten/icon-symbol.ts'
import { calloutLabel } from '../../markdown/callout-label.ts'
import { createFenceTracker } from '../../markdown/code-fence.ts'
import { replaceOutsideSpans } from '../../markdown/code-spans.ts'

/** `{{< name arguments >}}` and `{{% name arguments %}}` of Hugo; a slash in front of the name closes. */
const shortcode = /\{\{[<%]\s{0,9}(\/?)\s{0,9}([\w./-]{1,60})((?:(?![>%]\}\})[^\n]){0,600})[>%]\}\}/g
/** A tag of Liquid, as Jekyll reads it. */
const liquidTag = /\{%-?\s*(\w{1,30})((?:(?!%\})[^\n]){0,500}?)-?%\}/g
/** A literal that is only filtered, as in `{{ '/install' | relative_url }}`. */
const liquidLiteral = /\{\{-?\s*(?:'([^'{}\n]{0,300})'|"([^"{}\n]{0,300})")\s*(?:\|[^{}\n]{0,200})?-?\}\}/g
/** How Hugo and Jekyll show their own syntax in blocks of code. */
const escapedShortcode = /(\{\{[<%])\/\*((?:(?!\*\/)[^\n]){0,300})\*\/([>%]\}\})/g
const rawTag = /\{%-?\s*(?:end)?raw\s*-?%\}/g
/** An attribute list of kramdown on a line of its own, or behind an element. */
const attributes = /^[ \t]*\{:[^{}\n]{0,300}\}[ \t]*$/
const inlineAttributes = /(?<=[*_)\]])\{:[^{}\n]{0,300}\}/g
const heading = /^#{1,6}[ \t]/

const codeName = /^(?:highlight|code(?:-?block|-toggle)?|gist-?code)$/
/** Arguments that readers see. */
const shownArguments =
  /\b(?:title|heading|header|label|text|caption|summary|description|name)=(?:"([^"]*)"|'([^']*)'|`([^`]*)`)/i

/**
 * Rewrites what the templates of Hugo and Jekyll would: shortcodes, tags of Liquid, attribute lists of kramdown, emoji.
 * Unknown ones keep their content and titles. Preserves line numbers, and code except for its escapes. Pure.
 */
export function prepareTemplates(body: string): string {
  if (!/\{\{|\{%|\{:|:[a-z\d_+-]+:/.test(body)) return body
  const isCode = createFenceTracker()
  const lines = body.split('\n')
  let isTemplateCode = false
  for (const [index, line] of lines.entries()) {
    const plain = line.replace(rawTag, '')
    const isFence = namesCode(plain)
    if (!isTemplateCode && isCode(plain)) lines[index] = plain.replace(escapedShortcode, '$1$2$3')
    else if (isTemplateCode && !isFence) lines[index] = plain
    else lines[index] = prepareLine(lines, index, plain)
    if (isFence && lines[index] !== plain) isTemplateCode = /^\s*`{3}[^`]*$/.test(lines[index]) && !isTemplateCode
  }
  return lines.join('\n')
}

/** Whether a line begins with a template that begins or ends a block of code. */
function namesCode(line: string): boolean {
  const name = /^\s*\{(?:\{[<%]|%-?)\s*\/?\s*(?:end)?([\w-]+)/.exec(line)?.[1] ?? ''
  return codeName.test(name)
}

function prepareLine(lines: string[], index: number, line: string): string {
  if (attributes.test(line)) {
    const id = /(?:^|[\s:])#([^\s{}]+)/.exec(line)?.[1]
    const above = lines[index - 1] ?? ''
    if (id !== undefined && heading.test(above)) lines[index - 1] = `${above.trimEnd()} {#${id}}`
    return ''
  }
  const written = rewrite(rewrite(line, shortcode, writeShortcode), liquidTag, writeTag)
  const literal = rewrite(written, liquidLiteral, ([, one, other]) => one ?? other ?? '')
  return replaceEmojiCodes(literal.replace(inlineAttributes, ''))
}

function rewrite(line: string, pattern: RegExp, write: (match: RegExpExecArray) => string): string {
  return line.search(pattern) === -1 ? line : replaceOutsideSpans(line, pattern, write)
}

function writeShortcode([, slash, name = '', given = '']: RegExpExecArray): string {
  const bare = name.replace(/^.*\//, '').replace(/\.html$/, '')
  if (codeName.test(bare)) return writeFence(slash === '/', given)
  if (slash === '/') return ''
  if (/^(?:rel)?ref$/.test(bare)) return readFirst(given)
  if (bare === 'figure' || bare === 'img' || bare === 'image') return writeImage(given)
  const shown = readShown(given)
  const label = calloutLabel(readKind(bare, given))
  if (label !== '') return shown === '' ? `**${label}:** ` : `**${label}: ${shown}** `
  return shown === '' ? '' : `**${shown}** `
}

/** `{{< alert type="warning" >}}` and `{{< warning >}}`. */
function readKind(name: string, given: string): string {
  const isGeneric = /^(?:alert|admonition|callout|notice|hint|blockquote)$/.test(name)
  if (!isGeneric) return name
  const named = /\b(?:type|kind|level|color|context|style)=["']?([\w-]+)/.exec(given)?.[1]
  const first = readFirst(given)
  return named ?? (calloutLabel(first) === '' ? 'note' : first)
}

const readFirst = (given: string): string =>
  /^\s*(?:"([^"]*)"|`([^`]*)`|(\S+))/.exec(given)?.slice(1).find(Boolean) ?? ''

const readShown = (given: string): string => shownArguments.exec(given)?.slice(1).find(Boolean) ?? ''

function writeImage(given: string): string {
  const read = (name: string) => new RegExp(`\\b${name}=(?:"([^"]*)"|(\\S+))`).exec(given)?.slice(1).find(Boolean) ?? ''
  const source = read('src')
  return source === '' ? readShown(given) : `![${read('alt') || read('caption') || read('title')}](${source})`
}

function writeFence(isEnd: boolean, given: string): string {
  const first = readFirst(given)
  return isEnd ? '```' : `\`\`\`${/^[\w+#-]{1,30}$/.test(first) ? first : ''}`
}

function writeTag([, name = '', given = '']: RegExpExecArray): string {
  if (name === 'highlight' || name === 'endhighlight') return writeFence(name !== 'highlight', given)
  if (name === 'link')
    return `/${given
      .trim()
      .replace(/^\//, '')
      .replace(/\.(?:md|markdown|html)$/i, '')}`
  return ''
}
