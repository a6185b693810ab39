import type { Expression } from 'estree-jsx'
import type { ElementView } from './element-view.ts'
import { type LiteralValue, readLiteral, showLiteral, soleExpression } from '../markdown/literal-value.ts'
import type { JsxAttribute, JsxElement, JsxExpression } from '../markdown/parse-markdown.ts'
import { type RenderScope, spendBudget } from './render-scope.ts'

/** The literal value of an attribute; undefined if absent or computed. An attribute without value is true. */
export function readAttribute(attribute: JsxAttribute, scope: RenderScope): LiteralValue | undefined {
  const { value } = attribute
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value
  return readLiteral(soleExpression(value.data?.estree), scope.values)
}

export function viewElement(
  node: JsxElement,
  scope: RenderScope,
  ordinal: number,
  render: Pick<ElementView, 'blocks' | 'inline'>,
): ElementView {
  const read = (name: string): LiteralValue | undefined => {
    for (const attribute of node.attributes) {
      if (attribute.type === 'mdxJsxAttribute' && attribute.name === name) return readAttribute(attribute, scope)
    }
    return undefined
  }
  const attribute = (name: string): string | null => {
    const value = read(name)
    if (value === undefined || value === null || value === false) return null
    return spendBudget(Array.isArray(value) ? value.map(showLiteral).join(', ') : showLiteral(value), scope)
  }
  return {
    name: node.name ?? '',
    isInline: node.type === 'mdxJsxTextElement',
    ordinal,
    attribute,
    literal: read,
    listedTitle: scope.siblingTitles[ordinal - 1] ?? '',
    isOn: (name) => ![undefined, null, false, 'false'].includes(read(name) as never),
    link: (name) => {
      const url = attribute(name)
      return url === null || url === '' ? null : scope.dialect.resolveLink(url, scope.page)
    },
    ...render,
  }
}

/**
 * Renders `{…}`: a literal, constant, property or snippet children. Anything that would have to be executed is dropped.
 */
export function renderExpression(node: JsxExpression, scope: RenderScope): string {
  const expression = soleExpression(node.data?.estree)
  if (expression !== undefined && isChildren(expression)) return scope.children ?? ''
  const value = readLiteral(expression, scope.values)
  return value === undefined ? '' : spendBudget(showLiteral(value), scope)
}

function isChildren(expression: Expression): boolean {
  if (expression.type === 'Identifier') return expression.name === 'children'
  return (
    expression.type === 'MemberExpression' &&
    expression.object.type === 'Identifier' &&
    expression.object.name === 'props' &&
    expression.property.type === 'Identifier' &&
    expression.property.name === 'children'
  )
}

/** Replaces `{name}` in code with the snippet's attributes; other braces are code. */
export function substituteProperties(code: string, scope: RenderScope): string {
  if (scope.properties.size === 0 || !code.includes('{')) return code
  return code.replace(/\{[ \t]*(?:props\.)?([A-Za-z_$][\w$]{0,100})[ \t]*\}/g, (written, name: string) => {
    const value = scope.properties.get(name)
    return value === undefined ? written : spendBudget(showLiteral(value), scope)
  })
}

/** Titles that an element lists for its children, as in `<Tabs items={['npm', 'yarn']}>`; usually empty. */
export function readListedTitles(node: JsxElement, scope: RenderScope): string[] {
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute' || attribute.name !== 'items') continue
    const value = readAttribute(attribute, scope)
    if (Array.isArray(value)) return value.map(readTitle)
  }
  return []
}

function readTitle(value: LiteralValue): string {
  return showLiteral(value instanceof Map ? (value.get('label') ?? '') : value)
}
