import { findComponentRule } from './component-rules.ts'
import type { ElementProperty, ElementView } from './element-view.ts'
import { iconSymbol } from './icon-symbol.ts'
import { fenceCode, inlineCode, joinBlocks, toLine } from '../markdown/markdown-writing.ts'
import { isLook, isPhrase, propertyKind } from './property-kind.ts'
import { showLiteral } from '../markdown/literal-value.ts'
import type { RenderScope } from './render-scope.ts'
import { escapeTags, isCode, trimLines, writeLiteral } from './write-literal.ts'

/** Renders a component or tag by its rule, followed by the words that its remaining properties contain. */
export function renderComponent(element: ElementView, { source, dialect }: RenderScope): string {
  const isImported = source.imports.some(({ local }) => local === element.name)
  const rule = findComponentRule(element.name, isImported ? undefined : dialect.components)
  if (rule === undefined) return describeUnknown(element)
  const body = rule(element)
  if (!/^[A-Z]/.test(element.name)) return body
  const rest = element.unread().map((property) => describeProperty(element, property, false))
  return rest.some((text) => text !== '') ? append(element, [body, ...rest]) : body
}

function append(element: ElementView, parts: readonly string[]): string {
  return element.isInline
    ? parts
        .filter((part) => part !== '')
        .map((part) => toLine(part))
        .join(' ')
    : joinBlocks(parts)
}

/** The output of a site's own components is unknown, so their content and the words in their properties represent it. */
function describeUnknown(element: ElementView): string {
  const properties = element.unread()
  const byKind = (kind: string) =>
    properties.find(({ name, value }) => propertyKind(name) === kind && typeof value === 'string' && value !== '')
  const titled = properties.find(({ name, value, markdown }) => {
    return propertyKind(name) === 'title' && (markdown !== '' || (typeof value === 'string' && value !== ''))
  })
  const url = byKind('link')?.value
  const rest = properties
    .filter((property) => property !== titled && propertyKind(property.name) !== 'link')
    .map((property) => describeProperty(element, property, true))
  const body = element.isInline ? element.inline() : element.blocks()
  const title = titled === undefined ? '' : toLine(titled.markdown || escapeTags(showLiteral(titled.value)))
  const [head, text] = linkParts(element, { title, body, url: typeof url === 'string' ? url : null })
  const parts = [head, ...rest, text]
  return parts.every((part) => part === '') && body === '' ? iconSymbol(element.name) : append(element, parts)
}

/** The title, else the content, carries the component's link; without both, its address does. */
function linkParts(
  element: ElementView,
  part: { title: string; body: string; url: string | null },
): [head: string, body: string] {
  const { title, body, url } = part
  const mark = (text: string) => (element.isInline || text === '' ? text : `**${text}**`)
  if (url === null || isLook(url)) return [mark(title), body]
  if (title !== '') return [mark(element.writeLink(url, title)), body]
  if (body === '') return [element.writeLink(url, url), '']
  return ['', body.includes('\n') || body.includes('](') ? body : element.writeLink(url, body)]
}

/** @param isUnknown Whether single words count, too: a known component would show them if they were text. */
function describeProperty(
  element: ElementView,
  { name, value, markdown }: ElementProperty,
  isUnknown: boolean,
): string {
  const kind = propertyKind(name)
  // `columns={2}` is layout, `columns={['Plan', 'Price']}` is not.
  if ((kind === 'look' && !(/^col(?:umn)?s$/i.test(name) && Array.isArray(value))) || value === true) return ''
  if (markdown !== '' || value === null) return markdown
  if (typeof value !== 'string') return typeof value === 'number' ? '' : writeLiteral(name, value, element.writeLink)
  if (value.trim() === '' || isLook(value)) return ''
  const isShown = isPhrase(value) || (isUnknown && ['title', 'text', 'code'].includes(kind))
  if (isCode(name, value) || (isUnknown && isCommand(element.name, kind))) return showCode(element, name, value)
  return isShown ? escapeTags(value) : ''
}

/** Whether a text of a component is code because of the component's name. */
function isCommand(name: string, kind: string): boolean {
  return kind === 'code' || (kind === 'text' && /snippet|code|terminal|command|shell|console/i.test(name))
}

function showCode(element: ElementView, name: string, code: string): string {
  if (element.isInline) return inlineCode(toLine(code))
  const language = element.attribute('lang') ?? element.attribute('language') ?? ''
  return fenceCode(trimLines(code), language === '' && name === 'chart' ? 'mermaid' : language)
}
