import type { ArrowFunctionExpression, Expression, FunctionExpression, Pattern, SimpleCallExpression } from 'estree-jsx'
import type { RootContent } from 'mdast'
import { type LiteralValue, readLiteral, showLiteral } from '../markdown/literal-value.ts'
import { joinBlocks } from '../markdown/markdown-writing.ts'
import { toJsxNode } from './jsx-node.ts'
import { type RenderScope, chargeLiteral } from './render-scope.ts'

/** Renders nodes as blocks or as a part of a line, whichever the expression is. */
export interface NodeRendering {
  nodes: (nodes: readonly RootContent[], scope: RenderScope) => string
  isInText: boolean
}

/** More levels of functions, conditions and calls are not followed. */
const depthMax = 20
/** Minimum cost of a loop iteration, so that nested loops end. */
const roundChars = 50

/**
 * Renders the expression in `{…}`: a literal, constant, property, markup or snippet children; each round of a `map` over
 * a literal list; the branches of a condition, unless its value is known. Drops anything that would have to be executed.
 */
export function renderExpression(
  expression: Expression,
  scope: RenderScope,
  rendering: NodeRendering,
  depth = 0,
): string {
  if (depth > depthMax) return ''
  const inner = (next: Expression) => renderExpression(next, scope, rendering, depth + 1)
  const join = (parts: readonly string[]) => joinParts(parts, rendering)
  if (isChildren(expression)) return scope.children ?? ''
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- whatever else is literal or dropped
  switch (expression.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return rendering.nodes([toJsxNode(expression, rendering.isInText)], scope)
    case 'ConditionalExpression': {
      const test = readLiteral(expression.test, scope.values)
      if (test !== undefined) return inner(test ? expression.consequent : expression.alternate)
      return join([inner(expression.consequent), inner(expression.alternate)])
    }
    case 'LogicalExpression': {
      const left = readLiteral(expression.left, scope.values)
      if (left === undefined) return join([inner(expression.left), inner(expression.right)])
      return inner(Boolean(left) === (expression.operator === '&&') ? expression.right : expression.left)
    }
    case 'ArrayExpression':
      if (!expression.elements.some((item) => item !== null && isMarkup(item.type))) break
      return join(
        expression.elements.flatMap((item) => (item === null || item.type === 'SpreadElement' ? [] : inner(item))),
      )
    case 'CallExpression':
      return renderRounds(expression, scope, rendering, depth)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression': {
      const body = bodyOf(expression)
      return body === null ? '' : inner(body)
    }
  }
  const value = readLiteral(expression, scope.values)
  return value === undefined ? '' : showLiteral(chargeLiteral(value, scope))
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

export function isMarkup(type: string): boolean {
  return type === 'JSXElement' || type === 'JSXFragment'
}

/** List items and table rows stay together. */
function joinParts(parts: readonly string[], { isInText }: NodeRendering): string {
  const shown = parts.filter((part) => part.trim() !== '')
  if (isInText) return shown.join(' ')
  return joinBlocks(shown, shown.every((part) => /^\s*[-|]/.test(part)) ? '\n' : '\n\n')
}

/** `items.map((item) => <X />)` */
function renderRounds(call: SimpleCallExpression, scope: RenderScope, rendering: NodeRendering, depth: number): string {
  const [callback] = call.arguments
  const { callee } = call
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return ''
  if (callee.property.type !== 'Identifier' || !/^(?:map|flatMap)$/.test(callee.property.name)) return ''
  if (callback?.type !== 'ArrowFunctionExpression' && callback?.type !== 'FunctionExpression') return ''
  const items = readLiteral(callee.object, scope.values)
  const body = bodyOf(callback)
  if (!Array.isArray(items) || body === null) return ''
  const rounds: string[] = []
  for (const [index, item] of items.entries()) {
    scope.budget.charsLeft -= roundChars
    if (scope.budget.charsLeft < 0) break
    const values = new Map(scope.values)
    bindNames(callback.params[0], item, values)
    bindNames(callback.params[1], index, values)
    rounds.push(renderExpression(body, { ...scope, values }, rendering, depth + 1))
  }
  return joinParts(rounds, rendering)
}

/** What a function returns, if that is all it does. */
function bodyOf({ body }: ArrowFunctionExpression | FunctionExpression): Expression | null {
  if (body.type !== 'BlockStatement') return body
  const last = body.body.at(-1)
  return last?.type === 'ReturnStatement' ? (last.argument ?? null) : null
}

function bindNames(pattern: Pattern | undefined, value: LiteralValue, values: Map<string, LiteralValue>): void {
  if (pattern?.type === 'Identifier') values.set(pattern.name, value)
  else if (pattern?.type === 'ArrayPattern' && Array.isArray(value)) {
    for (const [index, part] of pattern.elements.entries()) bindNames(part ?? undefined, value[index] ?? null, values)
  } else if (pattern?.type === 'ObjectPattern' && value instanceof Map) {
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
      const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value
      bindNames(target, value.get(property.key.name) ?? null, values)
    }
  }
}
