import type { Root } from 'mdast'
import { type Document, isScalar, parseDocument, visit } from 'yaml'
import { toYamlValue } from '../../base/yaml-value.ts'
import type { PageCode } from '../formats/write-rules.ts'
import { parseMarkdown } from '../markdown/parse-markdown.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import type { CodeItem } from './code-item.ts'
import { isDistant, isHarmfulAddress, isOutside } from './harmful-address.ts'
import { listFormulaLinks } from './formula-code.ts'
import { createLineFinder, listHtmlCode } from './html-code.ts'
import { listMarkdownCode, listMdxCode } from './mdx-code.ts'
import { refuseSlowMarkup } from './slow-markup.ts'

/**
 * Lists what on a page is executed, fetched or expanded where the page is built or read. Runs none of it.
 *
 * @param text The whole file, with `\n` at the end of lines.
 * @throws {MarkdownSyntaxError} if it is MDX that cannot be parsed, or unless `mayBeSlow`, if that would take long.
 */
export function listPageCode(text: string, code: PageCode, { mayBeSlow = true } = {}): CodeItem[] {
  const [head = '', yaml = ''] = frontmatter.exec(text) ?? []
  const offset = head.split('\n').length - 1
  const body = text.slice(head.length)
  if (!mayBeSlow) refuseSlowMarkup(body, code)
  const items = [...listBodyCode(body, code), ...listIncludes(body, code)].map((item) => ({
    ...item,
    line: item.line === null ? null : item.line + offset,
  }))
  const inFields = code === 'templates' ? matchLines(yaml, jinja, 'template') : []
  return [...listFrontmatterCode(text, yaml), ...inFields, ...items]
}

const frontmatter = /^\uFEFF?---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/

function listBodyCode(body: string, code: PageCode): CodeItem[] {
  if (code === 'mdx') {
    return [
      ...listMdxCode(readFootnotes(escapeHeadingIds(body))),
      ...matchLines(body, unwrappedBlock, 'fence'),
      ...listFormulaLinks(body),
    ]
  }
  const root = parseMarkdown(body, 'markdown')
  const prose = blankCode(body, root, code)
  const isPython = code === 'templates' || code === 'python'
  const isLiquid = code === 'liquid' || code === 'mixed'
  const isOther = code === 'any' || isLiquid
  const unescape = (text: string) => (code === 'liquid' ? text.replace(rawLiquid, blank) : text)
  return [
    ...listHtmlCode(prose, { isVue: code === 'vue' || isOther }),
    ...listMarkdownCode(root),
    ...listAttributeLists(prose),
    ...listFormulaLinks(prose),
    ...matchLines(
      code === 'vue' ? blankLiteral(prose) : prose,
      code === 'vue' ? vueTemplate : /\]\([^)]{1,300}/g,
      code === 'vue' ? 'template' : 'address',
    ).filter(({ kind, text }) => kind !== 'address' || isHarmfulAddress(text.slice(2).replace(/^\s*</, ''))),
    ...(code === 'templates' ? matchLines(body, jinja, 'template') : []),
    ...(isOther ? matchLines(unescape(prose), anyTemplate, 'template') : []),
    ...(isLiquid ? matchLines(unescape(body), liquid, 'template') : []),
    ...(isOther && code !== 'liquid' ? matchLines(body, shortcode, 'template') : []),
    ...(isPython ? listPythonBlocks(body, prose) : []),
  ]
}

const listPythonBlocks = (body: string, prose: string) => [
  ...matchLines(body, pythonBlock, 'fence'),
  ...matchLines(body, blockAttributes, 'fence').filter(({ text }) => activeAttribute.test(text)),
  ...matchLines(prose, executedInBlock, 'fence'),
]

/** Docusaurus takes what is in such a block for MDX. */
const unwrappedBlock = /^[ \t]*`{3,4} *mdx-code-block\b[^\n]*/gm

/**
 * Writes footnotes as items of a list, whose content is indented alike: the parser here takes them for definitions of
 * links, and their content for an address.
 */
function readFootnotes(body: string): string {
  return body.replace(/\[\^(?:\\.|[^\]\\\s]){1,999}\]:[ \t]*/g, '1.  ')
}

/** Also with the brace escaped, because Vue sees the page after Markdown has removed the escapes. */
const vueTemplate = /(?:\\?\{|&#0{0,9}123;|&#x0{0,9}7b;|&l(?:brace|cub);){2}(?:[^{}]{0,500}\}\}|[^\n]{0,500})/gi
const jinja = /\{\{[^{}]{0,500}\}\}|\{%[^{}]{0,500}%\}|\{[{%#][^\n]{0,500}/g
/** Of Liquid, Jinja, Vue, Hugo, mdBook, MyST, Pandoc, docsify, VuePress and servers. */
const anyTemplate =
  /\{\{[^\n]{0,500}|\{%[^\n]{0,500}|\{(?:raw(?::\w+)?|eval(?::\w+)?|download)\}|^[ \t>]*:{3,}[ \t]*\{(?:raw|include|literalinclude|eval-rst|csv-table|exec|jupyter-execute)\}[^\n]*|\{=\w{1,20}\}|["'( ]:include\b[^\n]{0,200}|@\[code[^\]\n]{0,200}\]\([^\n]{0,300}|<!--#\w[^\n]{0,300}/gm
/** Of Hugo, Quarto and mdBook, which expand them in code as well, unless Hugo's are in a comment; and code in a span that Quarto runs. */
const shortcode =
  /\{\{[<%](?!\/\*)[^\n]{0,500}|\{\{\s*#(?:(?:rustdoc_)?include|playground|playpen|title|template)\b[^\n]{0,500}|(?<!`)`(?:\{(?:r|python|julia|ojs)\}|r) [^`\n]{1,500}`(?!`)/g
const liquid = /\{[{%][^\n]{0,500}/g
/** Text, up to the first end. A second beginning is not passed over, because a page of nothing else would take quadratic time. */
const rawLiquid = /\{%-?[ \t]*raw[ \t]*-?%\}(?:(?!\{%-?[ \t]*(?:end)?raw\b)[^])*\{%-?[ \t]*endraw[ \t]*-?%\}/g
/** Blocks that insert documentation of code, or HTML with any attribute. */
const pythonBlock = /^[ \t>*+#\d.)-]*(?::::[ \t]*[\w.]+[ \t]*$|\/{3,}[ \t]*html\b[^\n]*)/gim
/** Attributes of a block, on one line or on lines of their own. */
const blockAttributes = /^[ \t]*attrs:[^\n]*(?:\n[ \t]+[^\n]+){0,20}/gm
const activeAttribute = /\bon[a-z]+\b|\b(?:style|srcdoc|href|src)\b|script:/i

/** Fences within blocks that only Python-Markdown knows, such as `!!! note`, with what they contain. */
const executedInBlock = /^[ \t>]+(`{3,}|~{3,})[^\n]*\bexec(?:[\s=}][^\n]*)?$(?:\n(?![ \t>]*\1)[^\n]*){0,1000}/gm

/** `{: onclick="…" }` and, for Vue, `{@click="…"}`, which set attributes of the text before them. */
function listAttributeLists(prose: string): CodeItem[] {
  return prose.split('\n').flatMap((line, index) => {
    const [list = ''] = /\{.*\}|\{.*$/.exec(line) ?? []
    const hasCode = /(?:^|[\s{:'"}])(?:on[a-z]+|srcdoc|v-[a-z][\w:.-]*|[:@#.][a-z][\w:.-]*)\s*=/i.test(list)
    const words = list.replaceAll(/[{}<>]/g, ' ')
    const classes = [...words.matchAll(/(?<=[\s:])\.([\w.-]+)/g)].map(([, name = '']) => name.replaceAll('.', ' '))
    const attributes = listHtmlCode(`<a ${words}><a class="${classes.join(' ')}">`, { isVue: false })
    // Words of a sentence between braces look like attributes without a value.
    const isHarmful = hasCode || hidesByList(line, list) || attributes.some(({ text }) => !/^[^=]+=""$/.test(text))
    return isHarmful ? [{ kind: 'attribute' as const, text: list.trim(), line: index + 1 }] : []
  })
}

/** Whether a list of attributes hides the text that it stands behind, above or below. */
function hidesByList(line: string, outermost: string): boolean {
  const start = line.search(/\S/)
  const end = line.trimEnd().length
  const lists = [outermost, ...(outermost.match(/\{[^{}]*\}/g) ?? [])]
  let from = 0
  return lists.some((list, index) => {
    from = line.indexOf(list, index < 2 ? 0 : from + 1)
    const isAttached =
      list.startsWith('{:') || from <= start || /\S/.test(line[from - 1] ?? '') || from + list.length === end
    return isAttached && /(?:^\{:?|\s)(?:hidden|popover)(?=[\s}=])/i.test(list)
  })
}

/** Formats take `## Title {#id}` out before MDX sees it. */
function escapeHeadingIds(body: string): string {
  return body.replace(/^([ \t]*#{1,6}[ \t][^\n]*)\{(#[\w.:-]+)\}[ \t]*$/gm, String.raw`$1\{$2\}`)
}

const literalBlock = /(?<=^|\n[ \t]*\n)(:{3,})[ \t]*v-pre[ \t]*\n((?![ \t]*:{3})[^<\n]*\n)*?\1[ \t]*(?=\n|$)/g
/** In these, Markdown goes on as HTML over empty lines. */
const openHtml = /<(?:pre|script|style|textarea|[!?])/i

/** Blanks blocks whose text Vue leaves alone. A tag within could end them, and one before them could swallow their start. */
function blankLiteral(prose: string): string {
  return openHtml.test(prose) ? prose : prose.replace(literalBlock, blank)
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/**
 * Blanks fenced code and code spans, except where processors disagree on whether it is code: if it is indented, if a span
 * goes over several lines, and for Python, if a fence is not closed by its like or opened by more than options.
 *
 * Follows the parser instead of a pattern: a span that a pattern sees may be text, if an earlier one swallowed its mark.
 */
function blankCode(body: string, root: Root, code: PageCode): string {
  const parts: string[] = []
  let end = 0
  for (const { from, to } of listCode(body, root, code)) {
    parts.push(body.slice(end, from), blank(body.slice(from, to)))
    end = to
  }
  return [...parts, body.slice(end)].join('')
}

function listCode(body: string, root: Root, code: PageCode): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  const queue = [...root.children]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const from = node.position?.start.offset ?? 0
    const to = node.position?.end.offset ?? 0
    const isCode =
      (node.type === 'inlineCode' && !body.slice(from, to).includes('\n')) ||
      (node.type === 'code' && isFence(body.slice(from, to), code) && !isBroken(body, { from, to }, code))
    // The opening line may contain attributes.
    if (isCode) ranges.push({ from: node.type === 'code' ? body.indexOf('\n', from) : from, to })
    if ('children' in node) queue.push(...node.children)
  }
  return ranges.sort((a, b) => a.from - b.from)
}

/** Without an extension, Python-Markdown ends an indented fence at its first empty line, and goes on with the text of a list. */
function isBroken(body: string, { from, to }: { from: number; to: number }, code: PageCode): boolean {
  const isPython = code === 'python' || code === 'templates'
  return isPython && from > 0 && body[from - 1] !== '\n' && /\n[ \t]*\n/.test(body.slice(from, to))
}

const openingOfPython = /^(?:\{[^\n{}]*\}|[\w#.+-]*)(?:[ \t]+\w+(?:=(?:"[^"\n]*"|'[^'\n]*'))?)*[ \t]*$/

function isFence(written: string, code: PageCode): boolean {
  const opening = written.slice(0, Math.max(0, written.indexOf('\n')))
  const [, fence = '', info = ''] = /^(`{3,}|~{3,})[ \t]*(.*)$/.exec(opening) ?? []
  if (fence === '') return false
  if (code !== 'python' && code !== 'templates') return true
  const last = written.slice(written.lastIndexOf('\n') + 1).replace(/^[ \t>]+|[ \t]+$/g, '')
  return last === fence && openingOfPython.test(info)
}

function matchLines(text: string, pattern: RegExp, kind: CodeItem['kind']): CodeItem[] {
  const lineAt = createLineFinder(text)
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ kind, text: found.trim(), line: lineAt(index) }))
}

/** The first form names files on the lines that follow as well, up to its closing line; the last two are of plugins. */
const pythonInclude =
  /-8<-+(?:[ \t]*\n((?:(?!-*-8<-)[^\n]*\n?){1,50})|\s*("[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\n"']{1,500}))|\{![ \t]*([^\n]{1,500}?)!\}|\{%-?\s*include[\w-]*\s+["']([^"'\n]{1,500})|\{\{\s*\w+\s*\(\s*["']([^"'\n]{1,500})/g

const vueInclude = /<!--\s*@include:\s*([^\n]{1,500}?)-->|^[ \t>*+\d.)-]*<<<[ \t]*([^\n]{1,500})/gm

const otherInclude = new RegExp(`${pythonInclude.source}|${vueInclude.source}`, 'gm')

const includes: Readonly<Record<PageCode, RegExp | null>> = {
  mdx: /<include\b[^>]{0,500}>([^<\n]{0,500})|::include\[([^\]\n]{0,500})/g,
  vue: vueInclude,
  templates: pythonInclude,
  python: pythonInclude,
  html: pythonInclude,
  any: otherInclude,
  liquid: otherInclude,
  mixed: otherInclude,
}
/** Leaves its folder, is hidden, absolute, or an address. */
const distantPath = /(?:^|[\\/])\.[^./\\]|\.\.(?:[\\/]|$)|^[\\/~]|:\/\/|^[a-z]:/i

/** Files that a page reads, where they could be other than documentation. */
function listIncludes(body: string, code: PageCode): CodeItem[] {
  const pattern = includes[code]
  if (pattern === null) return []
  return [...body.matchAll(pattern)].flatMap((match) => {
    const [written, ...groups]: (string | undefined)[] = match
    const paths = (groups.find((group) => group !== undefined) ?? '')
      .split('\n')
      .map((path) => path.replace(/^[\s"';>]+|[\s"']+$/g, ''))
    const line = body.slice(0, match.index).split('\n').length
    const isOfProject = /^<include\s(?:[^>]*\s)?cwd\b/.test(written ?? '')
    const distant = isOfProject ? paths : paths.filter((path) => distantPath.test(path))
    return distant.map((text) => ({ kind: 'include' as const, text, line }))
  })
}

/** Fields that formats turn into markup, or that choose what renders the page. */
const codeFields = new Set([
  'head',
  'layout',
  'banner',
  'mdx',
  'template',
  'component',
  'components',
  'script',
  'scripts',
  'hooks',
  // Of Hugo: fields of all pages below.
  'cascade',
  // Of MyST and notebooks.
  'html_meta',
  'kernelspec',
  'jupytext',
  'execute',
  // Of Quarto and Eleventy.
  'format',
  'filters',
  'shortcodes',
  'metadata-files',
  'include-in-header',
  'include-before-body',
  'include-after-body',
  'eleventycomputed',
  'pagination',
])

/** Fields that name a file or an address which is read when the site is built. */
const readFields = /^(?:openapi|openapi-schema|asyncapi|asyncapi-channel|\$ref|source|include|file)$/i
/** Fields that say where the page or its operation is. */
const addressFields =
  /^(?:api|slug|permalink|canonical(?:_?url)?|(?:custom_)?edit_?url|aliases|redirect(?:_?(?:to|from))?)$/i
/** As pages name an operation of OpenAPI, whose path is no file. */
const operation = /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)\s+\/(?![\\/])/g

function listFrontmatterCode(text: string, yaml: string): CodeItem[] {
  const [odd] = oddStart.exec(text) ?? /^(?:---|\.{3})[^\n]*/m.exec(yaml) ?? []
  const items = odd === undefined ? [] : [{ kind: 'frontmatter' as const, text: odd, line: null }]
  return [...items, ...listYamlCode(yaml, codeFields)].map((item) => ({ ...item, line: 1 }))
}

/**
 * Frontmatter that readers of pages take differently: in a named language that some evaluate, in TOML, after blank lines,
 * or after a second byte order mark.
 */
const oddStart = /^\uFEFF?---[ \t]*[^\s-][^\n]*|^\s*\+{3}[^\n]*|^\s+---[^\n]*(?=\n)|^\uFEFF{2}/

/** Line breaks in the YAML of some readers only, which could end a comment or a text. */
export const doubtfulBreak = /\r(?!\n)|[\u0085\u2028\u2029]/

/**
 * @returns Tags that are not part of YAML's core schema, which can call functions; the named fields; markup and harmful
 *   addresses in texts; and, if it is not valid YAML, the whole of it, because other readers may take it differently.
 */
export function listYamlCode(yaml: string, fields: ReadonlySet<string>): CodeItem[] {
  const items: CodeItem[] = []
  const add = (text: string) => void items.push({ kind: 'frontmatter', text, line: null })
  const document = parseDocument(yaml, { logLevel: 'error', prettyErrors: false, merge: true })
  if (document.errors.length > 0 || doubtfulBreak.test(yaml)) add(yaml)
  visit(document, {
    Pair: (_key, { key, value }) => {
      // Starlight writes them into the link in the sidebar.
      if (fields === codeFields && isScalar(key) && key.value === 'attrs') add(`attrs: ${JSON.stringify(value)}`)
    },
    Node: (_key, node) => {
      const { tag } = node
      if (tag !== undefined && !/^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq|timestamp)$/.test(tag)) add(tag)
      const value: unknown = isScalar(node) ? node.value : null
      if (typeof value !== 'string') return
      items.push(...listHtmlCode(value, { isVue: false }).map((item) => ({ ...item, line: null })))
      // Some fields are shown as Markdown.
      const links = [...value.matchAll(/\]\(\s*<?([^)]{1,300})/g)].map(([, target = '']) => target)
      if ([value, ...links].some(isHarmfulAddress)) add(value)
    },
  })
  const value = document.errors.length > 0 ? null : readValue(document)
  if (value === undefined) add(yaml)
  for (const [key, field] of isRecord(value) ? Object.entries(value) : []) {
    const isName = typeof field === 'string' && /^[\w-]{1,100}$/.test(field)
    if (fields.has(key.toLowerCase()) && !isName) add(`${key}: ${JSON.stringify(field)}`)
    const isFar = addressFields.test(key) ? isOutside : readFields.test(key) ? isDistant : null
    const words =
      isFar === null
        ? []
        : String(field)
            .replace(operation, '')
            .split(/[\s,]+/)
    const distant = words.find((word) => isFar?.(word))
    if (distant !== undefined) add(distant)
  }
  return items
}

/** @returns Undefined if it would grow too large. */
function readValue(document: Document.Parsed): unknown {
  try {
    return toYamlValue(document, 20)
  } catch {
    return undefined
  }
}
