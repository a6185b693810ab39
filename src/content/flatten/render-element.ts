import type { RootContent } from 'mdast'
import type { ElementProperty, ElementView } from './element-view.ts'
import { type LiteralValue, readLiteral, showLiteral, readSoleExpression } from '../markdown/literal-value.ts'
import { dropImageMarks } from '../images/image-marks.ts'
import { toLine } from '../markdown/markdown-writing.ts'
import type { JsxAttribute, JsxElement } from '../markdown/parse-markdown.ts'
import { isMarkup, type NodeRendering, renderExpression } from './render-expression.ts'
import { renderImage } from './render-image.ts'
import { renderLink } from './render-link.ts'
import { type ListedTitle, type RenderScope, chargeBudget, chargeLiteral } from './render-scope.ts'

/** The literal value of an attribute; undefined if absent or computed. An attribute without value is true. */
export function readAttribute(attribute: JsxAttribute, scope: RenderScope): LiteralValue | undefined {
  const { value } = attribute
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value
  return readLiteral(readSoleExpression(value.data?.estree), scope.values)
}

/** The literal value of an attribute, or the markup that it contains. */
function readProperty(attribute: JsxAttribute, scope: RenderScope, rendering: NodeRendering): ElementProperty {
  const { name, value } = attribute
  const expression = typeof value === 'object' ? readSoleExpression(value?.data?.estree) : undefined
  const literal = expression !== undefined && isMarkup(expression.type) ? undefined : readAttribute(attribute, scope)
  if (literal !== undefined) return { name, value: chargeLiteral(literal, scope), markdown: '' }
  return { name, value: null, markdown: expression === undefined ? '' : renderExpression(expression, scope, rendering) }
}

export interface ElementRendering extends Pick<ElementView, 'blocks' | 'inline'> {
  nodes: NodeRendering['nodes']
  inlineNodes: NodeRendering['nodes']
}

export function viewElement(
  node: JsxElement,
  scope: RenderScope,
  ordinal: number,
  { blocks, inline, nodes, inlineNodes }: ElementRendering,
): ElementView {
  const attributes = new Map<string, JsxAttribute>()
  for (const attribute of node.attributes) {
    if (attribute.type === 'mdxJsxAttribute' && !attributes.has(attribute.name))
      attributes.set(attribute.name, attribute)
  }
  const unread = new Map(attributes)
  const read = (name: string): ElementProperty | undefined => {
    unread.delete(name)
    const attribute = attributes.get(name)
    return attribute === undefined ? undefined : readProperty(attribute, scope, { nodes: inlineNodes, isInText: true })
  }
  const attribute = (name: string): string | null => {
    const { value = null, markdown = '' } = read(name) ?? {}
    if (value === null || value === false) return markdown.trim() === '' ? null : toLine(dropImageMarks(markdown))
    return Array.isArray(value) ? value.map(showLiteral).join(', ') : showLiteral(value)
  }
  return {
    name: node.name ?? '',
    isInline: node.type === 'mdxJsxTextElement',
    ordinal,
    attribute,
    literal: (name) => read(name)?.value ?? undefined,
    listedTitle: (value) => findTitle(scope.siblingTitles, value, ordinal),
    isOn: (name) => ![undefined, null, false, 'false'].includes(read(name)?.value as never),
    link: (name) => {
      const url = attribute(name)
      return url === null || url === '' ? null : scope.dialect.resolveLink(url, scope.page)
    },
    writeLink: (url, text) => renderLink({ url }, text, scope),
    writeImage: (url, alternative) => renderImage(url, alternative, scope),
    unread: () =>
      unread
        .values()
        .map((rest) => readProperty(rest, scope, { nodes, isInText: false }))
        .toArray(),
    blocks,
    inline,
  }
}

function findTitle(titles: RenderScope['siblingTitles'], value: string | null, ordinal: number): string {
  const named = value === null ? undefined : titles.find((listed) => listed.value === value)
  return (named ?? titles[ordinal - 1])?.title ?? ''
}

/** The content of an element: between its tags, or in the properties that frameworks read it from. */
export function contentOf(node: JsxElement, scope: RenderScope): readonly RootContent[] {
  if (node.children.length > 0) return node.children
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute') continue
    if (attribute.name === 'children') return [toContent(attribute)]
    if (!/^(?:set:html|dangerouslySetInnerHTML)$/.test(attribute.name)) continue
    const value = readAttribute(attribute, scope)
    const html = value instanceof Map ? value.get('__html') : value
    if (typeof html === 'string') return [{ type: 'html', value: html }]
  }
  return []
}

function toContent({ value }: JsxAttribute): RootContent {
  if (typeof value === 'object' && value !== null) return { ...value, type: 'mdxFlowExpression' }
  return { type: 'text', value: value ?? '' }
}

/** Replaces `{name}` in code with the snippet's attributes; other braces are code. */
export function substituteProperties(code: string, scope: RenderScope): string {
  if (scope.properties.size === 0 || !code.includes('{')) return code
  return code.replace(/\{[ \t]*(?:props\.)?([A-Za-z_$][\w$]{0,100})[ \t]*\}/g, (written, name: string) => {
    const value = scope.properties.get(name)
    return value === undefined ? written : chargeBudget(showLiteral(value), scope)
  })
}

/** Titles that an element lists for its children, as in `<Tabs items={['npm', 'yarn']}>`; usually empty. */
export function readListedTitles(node: JsxElement, scope: RenderScope): ListedTitle[] {
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute' || !/^(?:items|values)$/.test(attribute.name)) continue
    const items = chargeLiteral(readAttribute(attribute, scope) ?? null, scope)
    if (Array.isArray(items)) return items.map(readTitle)
  }
  return []
}

function readTitle(item: LiteralValue): ListedTitle {
  if (!(item instanceof Map)) return { value: showLiteral(item), title: showLiteral(item) }
  const title = showLiteral(item.get('label') ?? item.get('title') ?? '')
  return { value: showLiteral(item.get('value') ?? title), title }
}
