import type {
  Expression,
  JSXAttribute,
  JSXElement,
  JSXFragment,
  JSXSpreadAttribute,
  Property,
  SpreadElement,
} from 'estree-jsx'
import type { CodeItem } from './code-item.ts'
import { isRawText, listElementCode } from './element-code.ts'
import { isScriptAddress } from './harmful-address.ts'

type ExpressionNode = Expression | JSXElement | JSXFragment | SpreadElement | Property['value'] | null

/**
 * Decides whether an expression is a plain value: text, numbers, lists and records of them, and elements with such
 * attributes. Only node types that are known to be inert pass.
 *
 * @param elements Receives what is found about elements within the value.
 */
export function isPlainValue(node: ExpressionNode | JSXElement['children'][number], elements: CodeItem[]): boolean {
  if (node === null) return true
  const isPlain = (inner: Parameters<typeof isPlainValue>[0]) => isPlainValue(inner, elements)
  const { type } = node
  if (type === 'Literal') return !('regex' in node) && !(typeof node.value === 'string' && isScriptAddress(node.value))
  if (type === 'TemplateLiteral') {
    return node.expressions.length === 0 && node.quasis.every(({ value }) => !isScriptAddress(value.cooked ?? ''))
  }
  if (type === 'UnaryExpression') return /^[-+!]$/.test(node.operator) && isPlain(node.argument)
  if (type === 'ArrayExpression') return node.elements.every(isPlain)
  if (type === 'ObjectExpression') {
    return node.properties.every((property) => property.type === 'Property' && isPlainProperty(property, isPlain))
  }
  if (type === 'JSXElement') return isPlainElement(node, elements)
  if (type === 'JSXFragment') return node.children.every(isPlain)
  if (type === 'JSXExpressionContainer') {
    return node.expression.type === 'JSXEmptyExpression' || isPlain(node.expression)
  }
  return type === 'JSXText'
}

function isPlainProperty(property: Property, isPlain: (node: Property['value']) => boolean): boolean {
  const { key, computed, kind, method, shorthand, value } = property
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
  return (
    !computed && !method && !shorthand && kind === 'init' && name !== null && name !== '__proto__' && isPlain(value)
  )
}

function isPlainElement({ openingElement, children }: JSXElement, elements: CodeItem[]): boolean {
  const line = openingElement.loc?.start.line ?? null
  const attributes = openingElement.attributes.map((attribute) => readAttribute(attribute, elements))
  const written = attributes.filter((attribute) => attribute !== null)
  const name = nameElement(openingElement.name)
  const content = isRawText(name) ? listTexts(children) : null
  elements.push(...listElementCode({ name, attributes: written, line, content }))
  return written.length === attributes.length && children.every((child) => isPlainValue(child, elements))
}

/** @returns Null unless its value is plain. */
function readAttribute(attribute: JSXAttribute | JSXSpreadAttribute, elements: CodeItem[]) {
  if (attribute.type === 'JSXSpreadAttribute') return null
  const { name, value } = attribute
  const written = name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`
  if (value !== null && !isPlainValue(value, elements)) return null
  return { name: written, value: value?.type === 'Literal' ? String(value.value) : listTexts(value) }
}

/** The texts within a plain value, which may be addresses or styles. */
export function listTexts(value: unknown): string {
  const texts: string[] = []
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const isText = 'type' in node && (node.type === 'Literal' || node.type === 'JSXText')
    if (isText && 'value' in node) texts.push(String(node.value))
    else if ('type' in node && node.type === 'TemplateElement' && 'value' in node) {
      const written = node.value as { cooked?: string | null } // As the parser makes them.
      texts.push(written.cooked ?? '')
    } else if ('type' in node && node.type === 'Property' && 'key' in node && 'value' in node) {
      const key = node.key as { name?: string; value?: unknown } // A plain property: see `isPlainProperty`.
      texts.push(`${key.name ?? String(key.value)}:`)
      collect(node.value)
    } else for (const inner of Object.values(node)) collect(inner)
  }
  collect(value)
  return texts.join(' ')
}

function nameElement(name: JSXElement['openingElement']['name']): string {
  if (name.type === 'JSXIdentifier') return name.name
  if (name.type === 'JSXNamespacedName') return `${name.namespace.name}:${name.name.name}`
  return `${nameElement(name.object)}.${name.property.name}`
}
