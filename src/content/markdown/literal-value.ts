import type {
  Expression,
  JSXElement,
  JSXFragment,
  MemberExpression,
  ObjectExpression,
  Program,
  SpreadElement,
  TemplateLiteral,
} from 'estree-jsx'

/** A literal value in a page. Objects become maps, so that no key can reach a prototype. */
export type LiteralValue = string | number | boolean | null | LiteralValue[] | Map<string, LiteralValue>

const depthMax = 20
const textCharsMax = 100_000

/**
 * Reads a literal, or a name bound to one. Evaluates nothing: no calls, no conditions, and no operators except unary
 * minus.
 *
 * @returns Undefined for anything else.
 */
export function readLiteral(
  expression: Expression | SpreadElement | undefined,
  scope: ReadonlyMap<string, LiteralValue>,
  depth = 0,
): LiteralValue | undefined {
  if (expression === undefined || depth > depthMax) return undefined
  const read = (inner: Expression | SpreadElement) => readLiteral(inner, scope, depth + 1)
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- whatever is not a literal is not read
  switch (expression.type) {
    case 'Literal':
      return isPlain(expression.value) ? expression.value : undefined
    case 'TemplateLiteral':
      return readTemplate(expression, read)
    case 'Identifier':
      return scope.get(expression.name)
    case 'UnaryExpression': {
      const value = expression.operator === '-' ? read(expression.argument) : undefined
      return typeof value === 'number' ? -value : undefined
    }
    case 'MemberExpression':
      return readMember(expression, read)
    case 'ArrayExpression': {
      const items = expression.elements.map((item) => (item === null ? null : read(item)))
      return items.every((item) => item !== undefined) ? items : undefined
    }
    case 'ObjectExpression':
      return readObject(expression, read)
    case 'JSXElement':
    case 'JSXFragment':
      return readMarkup(expression, read)
    default:
      return undefined
  }
}

/** The text of markup used as a title, `<>The <code>x</code> suffix</>`, without tags; code keeps its backticks. */
function readMarkup(markup: JSXElement | JSXFragment, read: ReadInner, depth = 0): string {
  if (depth > depthMax) return ''
  const parts = markup.children.map((child) => {
    if (child.type === 'JSXText') return child.value.replace(/\s+/g, ' ')
    if (child.type === 'JSXElement' || child.type === 'JSXFragment') return readMarkup(child, read, depth + 1)
    const value =
      child.type === 'JSXExpressionContainer' && child.expression.type !== 'JSXEmptyExpression'
        ? read(child.expression)
        : undefined
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })
  const text = parts.join('')
  const isCode =
    markup.type === 'JSXElement' &&
    markup.openingElement.name.type === 'JSXIdentifier' &&
    markup.openingElement.name.name === 'code'
  return isCode && text.trim() !== '' ? `\`${text.trim()}\`` : text
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

type ReadInner = (inner: Expression) => LiteralValue | undefined

function readMember({ object, property, computed }: MemberExpression, read: ReadInner): LiteralValue | undefined {
  if (object.type === 'Super' || property.type === 'PrivateIdentifier') return undefined
  const holder = read(object)
  const key = !computed && property.type === 'Identifier' ? property.name : read(property)
  if (holder instanceof Map) return typeof key === 'string' ? holder.get(key) : undefined
  return Array.isArray(holder) && typeof key === 'number' ? holder[key] : undefined
}

function readTemplate(template: TemplateLiteral, read: ReadInner): string | undefined {
  let text = ''
  for (const [index, quasi] of template.quasis.entries()) {
    text += quasi.value.cooked ?? quasi.value.raw
    const expression = template.expressions[index]
    if (expression !== undefined) {
      const value = read(expression)
      if (value === undefined) return undefined
      text += showLiteral(value)
    }
    if (text.length > textCharsMax) return undefined
  }
  return text
}

function readObject(object: ObjectExpression, read: ReadInner): Map<string, LiteralValue> {
  const entries = new Map<string, LiteralValue>()
  for (const property of object.properties) {
    if (property.type !== 'Property' || property.computed || property.method) continue
    const { key, value } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined
    // Property values in an expression are expressions; patterns only occur left of `=`.
    const literal = read(value as Expression)
    if (name !== undefined && literal !== undefined) entries.set(name, literal)
  }
  return entries
}

/** The single expression in `{…}`, or undefined if there is none, as in a comment. */
export function soleExpression(program: Program | null | undefined): Expression | undefined {
  const [statement] = program?.body ?? []
  return statement?.type === 'ExpressionStatement' ? statement.expression : undefined
}

/** The value as rendered: React renders nothing for booleans and null. */
export function showLiteral(value: LiteralValue): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(showLiteral).join('')
  if (value instanceof Map) return [...value.values()].map(showLiteral).join(' / ')
  return ''
}
