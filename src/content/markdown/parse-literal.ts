import { parseExpressionAt } from 'acorn'
import type { Expression } from 'estree-jsx'
import { type LiteralValue, readLiteral } from './literal-value.ts'

/** Reads the literal that starts somewhere in JavaScript. @returns Where it ends, or where it cannot be parsed. */
export function parseLiteralAt(
  code: string,
  start: number,
  scope: ReadonlyMap<string, LiteralValue>,
): { value: LiteralValue | undefined; end: number } {
  try {
    const expression = parseExpressionAt(code, start, { ecmaVersion: 'latest', sourceType: 'module' })
    // Acorn's nodes are ESTree's, but its types are declared apart.
    return { value: readLiteral(expression as Expression, scope), end: expression.end }
  } catch (error) {
    // Acorn adds the position to its errors; nesting too deep for the stack has none.
    const { pos = code.length } = error as { pos?: number }
    return { value: undefined, end: Math.max(start, pos) }
  }
}
