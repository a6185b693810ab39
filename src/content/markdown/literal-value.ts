import type {
  ArrayExpression,
  BinaryExpression,
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
const spreadItemsMax = 1000
const shownCharsMax = 1024 * 1024

/**
 * Reads a literal, or a name bound to one. Evaluates nothing: no calls, no conditions, and no operators except unary
 * minus and the joining of texts. What is not literal within an array, object or template is left out of it.
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
    case 'TaggedTemplateExpression':
      return readTemplate(expression.quasi, read)
    case 'BinaryExpression':
      return readSum(expression, read)
    case 'Identifier':
      return scope.get(expression.name)
    case 'UnaryExpression': {
      const value = expression.operator === '-' ? read(expression.argument) : undefined
      return typeof value === 'number' ? -value : undefined
    }
    case 'MemberExpression':
      return readMember(expression, read)
    case 'ArrayExpression':
      return readArray(expression, read)
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

function readSum(sum: BinaryExpression, read: ReadInner): string | undefined {
  const parts: (LiteralValue | undefined)[] = []
  let rest: BinaryExpression['left'] = sum
  for (; rest.type === 'BinaryExpression' && rest.operator === '+'; rest = rest.left) parts.push(read(rest.right))
  if (rest.type === 'PrivateIdentifier' || rest === sum) return undefined
  parts.push(read(rest))
  const isText = parts.every((part) => typeof part === 'string' || typeof part === 'number')
  const text = isText && parts.some((part) => typeof part === 'string') ? parts.reverse().join('') : ''
  return text === '' || text.length > textCharsMax ? undefined : text
}

function readArray({ elements }: ArrayExpression, read: ReadInner): LiteralValue[] {
  return elements.flatMap((item): LiteralValue[] => {
    if (item === null) return [null]
    if (item.type !== 'SpreadElement') return [read(item) ?? null]
    const items = read(item.argument)
    return Array.isArray(items) && items.length <= spreadItemsMax ? items : []
  })
}

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
      text += showLiteral(read(expression) ?? '…')
    }
    if (text.length > textCharsMax) return undefined
  }
  return text
}

function readObject(object: ObjectExpression, read: ReadInner): Map<string, LiteralValue> {
  const entries = new Map<string, LiteralValue>()
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      const spread = read(property.argument)
      if (spread instanceof Map) for (const [name, inner] of spread) entries.set(name, inner)
      continue
    }
    if (property.computed || property.method) continue
    const { key, value } = property
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined
    // Property values in an expression are expressions; patterns only occur left of `=`.
    const literal = read(value as Expression)
    if (name !== undefined && literal !== undefined) entries.set(name, literal)
  }
  return entries
}

/** The single expression in `{…}`, or undefined if there is none, as in a comment. */
export function readSoleExpression(program: Program | null | undefined): Expression | undefined {
  const [statement] = program?.body ?? []
  return statement?.type === 'ExpressionStatement' ? statement.expression : undefined
}

/** The value as rendered: React renders nothing for booleans and null. Empty for what grows too long. */
export function showLiteral(value: LiteralValue): string {
  const isNested = Array.isArray(value) || value instanceof Map
  return isNested && measureLiteral(value, shownCharsMax) === shownCharsMax ? '' : show(value)
}

function show(value: LiteralValue): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(show).join('')
  if (value instanceof Map) return [...value.values()].map(show).join(' / ')
  return ''
}

/** Characters and items of a value, counted up to `max`, because values that repeat each other grow exponentially. */
export function measureLiteral(value: LiteralValue, max: number): number {
  let weight = 0
  const queue: LiteralValue[] = [value]
  for (let item = queue.pop(); item !== undefined && weight < max; item = queue.pop()) {
    weight += typeof item === 'string' ? item.length + 1 : 1
    if (Array.isArray(item)) queue.push(...item.slice(0, max))
    else if (item instanceof Map) queue.push(...item.values())
  }
  return Math.min(weight, max)
}
