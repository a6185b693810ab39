import type { Expression, JSXAttribute, JSXElement, JSXFragment, JSXOpeningElement, Program } from 'estree-jsx'
import type { RootContent } from 'mdast'
import type { JsxAttribute, JsxElement, JsxExpression } from '../markdown/parse-markdown.ts'
import { inlineTags } from '../markdown/strip-tags.ts'
import { escapeTags } from './write-literal.ts'

/** The node that markup within an expression would be in the page itself. Pure. */
export function toJsxNode(markup: JSXElement | JSXFragment, isInText = false): JsxElement {
  const hasText = markup.children.some((child) => child.type === 'JSXText' && child.value.trim() !== '')
  const opening = markup.type === 'JSXElement' ? markup.openingElement : null
  const name = opening === null ? null : writeName(opening.name)
  const children = markup.children.flatMap((child): RootContent[] => {
    if (child.type === 'JSXText') return toText(child.value)
    if (child.type === 'JSXElement' || child.type === 'JSXFragment') return [toJsxNode(child, hasText)]
    if (child.type === 'JSXSpreadChild' || child.expression.type === 'JSXEmptyExpression') return []
    return [toExpressionNode(child.expression, hasText)]
  })
  const attributes = (opening?.attributes ?? []).flatMap((attribute) =>
    attribute.type === 'JSXAttribute' ? [toAttribute(attribute)] : [],
  )
  const type = isInText || (name !== null && inlineTags.has(name)) ? 'mdxJsxTextElement' : 'mdxJsxFlowElement'
  // Renderers accept any content in both types of elements.
  return { type, name, attributes, children } as JsxElement
}

function toText(value: string): RootContent[] {
  if (value.trim() === '' && value.includes('\n')) return []
  return [{ type: 'text', value: escapeTags(value.replace(/\s+/g, ' ')) }]
}

function toExpressionNode(expression: Expression, isInText: boolean): JsxExpression {
  const type = isInText ? 'mdxTextExpression' : 'mdxFlowExpression'
  return { type, value: '', data: { estree: toProgram(expression) } }
}

function toProgram(expression: Expression): Program {
  return { type: 'Program', sourceType: 'module', body: [{ type: 'ExpressionStatement', expression }], comments: [] }
}

function toAttribute({ name, value }: JSXAttribute): JsxAttribute {
  const written = name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`
  return { type: 'mdxJsxAttribute', name: written, value: toAttributeValue(value) }
}

function toAttributeValue(value: JSXAttribute['value']): JsxAttribute['value'] {
  if (value === null) return null
  if (value.type === 'Literal') return String(value.value)
  const expression = value.type === 'JSXExpressionContainer' ? value.expression : value
  if (expression.type === 'JSXEmptyExpression') return null
  return { type: 'mdxJsxAttributeValueExpression', value: '', data: { estree: toProgram(expression) } }
}

function writeName(name: JSXOpeningElement['name']): string {
  if (name.type === 'JSXIdentifier') return name.name
  if (name.type === 'JSXNamespacedName') return `${name.namespace.name}:${name.name.name}`
  return `${writeName(name.object)}.${name.property.name}`
}
