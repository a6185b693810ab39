import type { BlockContent, Code, Heading, List, ListItem, Paragraph, RootContent, Table } from 'mdast'
import { readElementReference, readFenceReference, renderReferenced } from './code-reference.ts'
import { renderComponent } from './render-component.ts'
import { readSoleExpression } from '../markdown/literal-value.ts'
import { contentOf, readListedTitles, substituteProperties, viewElement } from './render-element.ts'
import { renderExpression } from './render-expression.ts'
import { renderHtmlBlock } from './render-html-block.ts'
import { dropImageMarks } from '../images/image-marks.ts'
import { type AnchorStyle, slugHeading } from '../markdown/heading-anchors.ts'
import { readHeading } from '../markdown/markdown-blocks.ts'
import { renderImage } from './render-image.ts'
import { renderLink, renderReference } from './render-link.ts'
import type { FlowElement, JsxElement, JsxExpression } from '../markdown/parse-markdown.ts'
import { removeCodeMarks } from './remove-code-marks.ts'
import { isTwoslash, removeTwoslash } from './remove-twoslash.ts'
import { type RenderScope, chargeBudget } from './render-scope.ts'
import { enterSnippet, findSnippet } from './render-snippet.ts'
import {
  fenceCode,
  indentLines,
  inlineCode,
  joinBlocks,
  joinRows,
  readFenceInfo,
  toLine,
} from '../markdown/markdown-writing.ts'
import { decodeEntities, stripTags } from '../markdown/strip-tags.ts'

type FlatNode = RootContent

const depthMax = 100

/** Renders a whole parsed file. */
export function renderSource(scope: RenderScope): string {
  return renderBlocks(scope.source.root.children, scope)
}

/** Renders nodes as Markdown blocks; runs of inline nodes become paragraphs. */
function renderBlocks(nodes: readonly FlatNode[], outer: RenderScope, separator = '\n\n'): string {
  const scope = { ...outer, depth: outer.depth + 1 }
  if (scope.depth > depthMax) return reportDepth(scope, nodes)
  const ordinals = new Map<string, number>()
  const blocks: string[] = []
  let run: FlatNode[] = []
  const flush = () => {
    blocks.push(...renderRun(run, scope, ordinals))
    run = []
  }
  for (const node of nodes) {
    if (isPhrasing(node)) {
      run.push(node)
      continue
    }
    flush()
    const block = renderBlock(node, scope, countOrdinal(node, ordinals))
    // There are separate images for light and dark screens, with the same alternative text.
    if (node.type !== 'mdxJsxFlowElement' || !isSameText(block, blocks.at(-1))) blocks.push(block)
  }
  flush()
  return joinBlocks(blocks, separator)
}

/** Inline nodes as one paragraph, unless components within a line, such as tabs, consist of several. */
function renderRun(nodes: readonly FlatNode[], scope: RenderScope, ordinals: Map<string, number>): string[] {
  const blocks = ['']
  for (const node of nodes) {
    const text =
      node.type === 'mdxJsxTextElement'
        ? renderElement(node, scope, countOrdinal(node, ordinals))
        : renderInline([node], scope)
    if (node.type === 'mdxJsxTextElement' && text.includes('\n\n')) blocks.push(text, '')
    else blocks.push((blocks.pop() ?? '') + text)
  }
  return blocks.map((block) => block.trim()).filter((block) => block !== '')
}

function isSameText(block: string, previous: string | undefined): boolean {
  return previous !== undefined && dropImageMarks(block) === dropImageMarks(previous)
}

function reportDepth(scope: RenderScope, nodes: readonly FlatNode[]): string {
  const line = nodes[0]?.position?.start.line ?? null
  const message = `Components are nested more than ${depthMax} levels deep; anything deeper is omitted. Flatten them.`
  scope.findings.add({ file: scope.source.file, line, rule: 'page-nesting-too-deep', message })
  return ''
}

function countOrdinal(node: FlatNode, ordinals: Map<string, number>): number {
  if ((node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') || node.name === null) return 1
  const ordinal = (ordinals.get(node.name) ?? 0) + 1
  ordinals.set(node.name, ordinal)
  return ordinal
}

const phrasingTypes = new Set([
  'break',
  'emphasis',
  'image',
  'imageReference',
  'inlineCode',
  'link',
  'linkReference',
  'mdxJsxTextElement',
  'mdxTextExpression',
  'strong',
  'text',
])

function isPhrasing(node: FlatNode): boolean {
  return phrasingTypes.has(node.type)
}

function renderBlock(node: FlatNode, scope: RenderScope, ordinal: number): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- further packages may add nodes; their children are read
  switch (node.type) {
    case 'paragraph':
      return renderParagraph(node, scope)
    case 'heading':
      return renderHeading(node, scope)
    case 'code':
      return renderCode(node, scope)
    case 'list':
      return renderList(node, scope)
    case 'blockquote':
      return renderBlocks(node.children, scope).replace(/^/gm, '> ').replace(/^> $/gm, '>')
    case 'table':
      return renderTable(node, scope)
    case 'thematicBreak':
      return '---'
    case 'html':
      return renderHtmlBlock(node.value, {
        link: (url, text) => renderLink({ url }, text, scope),
        image: (url, alternative) => renderImage(url, alternative, scope),
      })
    case 'mdxJsxFlowElement':
      return renderElement(node, scope, ordinal)
    case 'mdxFlowExpression':
      return renderBraces(node, scope, false)
    case 'definition':
      // Without the footnote extension, a one-word note parses as a definition.
      return node.identifier.startsWith('^') ? `[${node.label ?? node.identifier}]: ${node.url}` : ''
    case 'mdxjsEsm':
    case 'yaml':
      return ''
    default:
      return 'children' in node ? renderBlocks(node.children, scope) : ''
  }
}

function renderParagraph(node: Paragraph, scope: RenderScope): string {
  if (isUnravelled(node)) return renderUnravelled(node, scope)
  const text = renderInline(node.children, scope)
    .split('\n')
    // Two trailing spaces are a line break; other spaces around a break are insignificant.
    .map((line) => (line.endsWith('  ') ? `${line.trim()}  ` : line.trim()))
    .join('\n')
    .trim()
  // Components without output, such as icons, leave the spaces on both sides.
  return node.children.some((child) => child.type.startsWith('mdx')) ? text.replace(/(?<=\S) {2,}(?=\S)/g, ' ') : text
}

/** Whether a paragraph consists of components only, which its author meant as blocks. */
function isUnravelled(node: Paragraph): boolean {
  const isCode = (child: FlatNode) => child.type === 'mdxJsxTextElement' || child.type === 'mdxTextExpression'
  const isBlank = (child: FlatNode) => child.type === 'text' && child.value.trim() === ''
  const isComponent = (child: FlatNode) => child.type === 'mdxJsxTextElement' && /^[A-Z]/.test(child.name ?? '')
  return node.children.every((child) => isCode(child) || isBlank(child)) && node.children.some(isComponent)
}

function renderUnravelled(node: Paragraph, scope: RenderScope): string {
  const ordinals = new Map<string, number>()
  const blocks = node.children.map((child) => {
    if (child.type !== 'mdxJsxTextElement') return renderInlineNode(child, scope)
    // Inline nodes are fine here: `renderBlocks` makes paragraphs of them.
    const element: FlowElement = {
      ...child,
      type: 'mdxJsxFlowElement',
      children: child.children as BlockContent[],
    }
    return renderElement(element, scope, countOrdinal(element, ordinals))
  })
  return joinBlocks(blocks)
}

function renderHeading(node: Heading, scope: RenderScope): string {
  const text = dropImageMarks(renderInline(node.children, scope)).replace(/\s+/g, ' ').trim()
  return text === '' ? '' : markHeading(node, `${'#'.repeat(node.depth)} ${text}`, scope.dialect.anchorStyle)
}

/** Sites make ids from the text of a heading, without what components such as badges add to it. */
function markHeading(node: Heading, line: string, style: AnchorStyle): string {
  const { text, id } = readHeading(line)
  if (id !== null || !node.children.some(({ type }) => type === 'mdxJsxTextElement' || type === 'html')) return line
  const actual = slugHeading(writtenText(node).trim(), style)
  return actual === '' || actual === slugHeading(text, style) ? line : `${line} {#${actual}}`
}

function writtenText(node: FlatNode): string {
  if ('children' in node) return node.children.map(writtenText).join('')
  return node.type === 'text' || node.type === 'inlineCode' ? node.value : ''
}

function renderCode(node: Code, scope: RenderScope): string {
  const info = readFenceInfo(node.lang, node.meta)
  const reference = readFenceReference(node)
  const referenced = reference === null ? null : renderReferenced(reference, info, scope)
  if (referenced !== null) return referenced
  const written = substituteProperties(node.value, scope)
  const value = removeCodeMarks(isTwoslash(node.meta ?? '', written) ? removeTwoslash(written) : written)
  if (node.lang === 'math') return `$$\n${value}\n$$`
  return fenceCode(value, info)
}

function renderList(node: List, scope: RenderScope): string {
  const start = node.start ?? 1
  const items = node.children.map((item, index) => {
    return renderListItem(item, node.ordered === true ? `${start + index}. ` : '- ', scope)
  })
  return joinBlocks(items, node.children.some((item) => item.spread) ? '\n\n' : '\n')
}

function renderListItem(item: ListItem, marker: string, scope: RenderScope): string {
  const content = renderBlocks(item.children, scope, item.spread === true ? '\n\n' : '\n')
  return `${marker}${indentLines(content, ' '.repeat(marker.length)).trimStart()}`
}

function renderTable(node: Table, scope: RenderScope): string {
  const [head, ...rows] = node.children.map((row) =>
    row.children.map((cell) => toLine(renderInline(cell.children, scope))),
  )
  return head === undefined ? '' : joinRows(head, rows)
}

/** Renders nodes as inline text. Accepts blocks as well, for components within a line. */
function renderInline(nodes: readonly FlatNode[], outer: RenderScope): string {
  const scope = { ...outer, depth: outer.depth + 1 }
  if (scope.depth > depthMax) return reportDepth(scope, nodes)
  return nodes.map((node, index) => renderInlineNode(node, scope) + readAbbreviation(nodes, index)).join('')
}

/** In Markdown, the two tags of `<abbr title="…">` are separate nodes; the title follows what they enclose. */
function readAbbreviation(nodes: readonly FlatNode[], index: number): string {
  const htmlAt = (position: number) => {
    const node = nodes[position]
    return node?.type === 'html' ? node.value : ''
  }
  if (!htmlAt(index).startsWith('</abbr')) return ''
  for (let before = index - 1; before >= Math.max(0, index - 20); before--) {
    const title = /^<abbr\s[^>]{0,100}?\btitle\s*=\s*(?:"([^"]+)"|'([^']+)')/.exec(htmlAt(before))
    if (title !== null) return ` (${decodeEntities(title[1] ?? title[2] ?? '')})`
  }
  return ''
}

function renderInlineNode(node: FlatNode, scope: RenderScope): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- everything else is a block
  switch (node.type) {
    case 'text':
      return node.position === undefined ? node.value : renderText(node.value, sourceOf(node, scope))
    case 'emphasis':
      return wrap(renderInline(node.children, scope), sourceOf(node, scope).charAt(0) || '*')
    case 'strong':
      return wrap(renderInline(node.children, scope), sourceOf(node, scope).slice(0, 2) || '**')
    case 'inlineCode':
      return inlineCode(substituteProperties(node.value, scope))
    case 'break':
      return '  \n'
    case 'image':
      return renderImage(node.url, node.alt, scope)
    case 'imageReference':
      return renderImage(scope.source.definitions.get(node.identifier)?.url, node.alt, scope)
    case 'link':
      return renderLink(node, renderInline(node.children, scope), scope)
    case 'linkReference':
      return renderReference(node, renderInline(node.children, scope), scope)
    case 'html':
      return /^<br\b/i.test(node.value)
        ? '  \n'
        : decodeEntities(stripTags(node.value, (url, alternative) => renderImage(url, alternative, scope)))
    case 'mdxJsxTextElement':
      return renderElement(node, scope, 1)
    case 'mdxTextExpression':
      return renderBraces(node, scope, true)
    case 'paragraph':
      return renderInline(node.children, scope)
    default:
      return renderBlock(node, scope, 1)
  }
}

function wrap(text: string, mark: string): string {
  return dropImageMarks(text).trim() === '' ? text : `${mark}${text}${mark}`
}

function sourceOf(node: FlatNode, scope: RenderScope): string {
  return scope.source.text.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)
}

/**
 * The text as written, to keep significant escapes, but without indentation and quote markers of continuation lines.
 */
function renderText(value: string, written: string): string {
  if (written === value) return value
  const lines = written.split('\n')
  const bare = lines.map((line, index) => (index === 0 ? line : line.replace(/^[ \t>]+/, ''))).join('\n')
  return bare === value ? value : decodeEntities(bare.replace(/\\([{}])/g, '$1'))
}

function renderBraces(node: JsxExpression, scope: RenderScope, isInText: boolean): string {
  const expression = readSoleExpression(node.data?.estree)
  if (expression === undefined) return ''
  return renderExpression(expression, scope, { nodes: isInText ? renderInline : renderBlocks, isInText })
}

function renderElement(node: JsxElement, scope: RenderScope, ordinal: number): string {
  const inner = { ...scope, siblingTitles: readListedTitles(node, scope) }
  const children = contentOf(node, scope)
  const render = {
    blocks: (separator?: string) => renderBlocks(children, inner, separator),
    inline: () => renderInline(children, inner),
    nodes: renderBlocks,
    inlineNodes: renderInline,
  }
  if (node.name === null) return node.type === 'mdxJsxTextElement' ? render.inline() : render.blocks()
  const snippet = findSnippet(node, scope)
  if (snippet === null) {
    const reference = readElementReference(node)
    const code = reference === null ? null : renderReferenced(reference, '', scope)
    return code ?? renderComponent(viewElement(node, scope, ordinal, render), scope)
  }
  const entered = enterSnippet(snippet, node, scope, () => render.blocks())
  return entered === null ? '' : chargeBudget(renderSource(entered), scope)
}
