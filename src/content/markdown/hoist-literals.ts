import { parseExpressionAt } from 'acorn'
import type { Expression } from 'estree-jsx'
import { createFenceTracker } from './code-fence.ts'
import { type LiteralValue, readLiteral } from './literal-value.ts'

/** Shorter literals cost the MDX parser little. */
const linesMin = 100
/** What the attempts to parse may read in total, as multiples of the page. */
const passesMax = 3
const prefix = '__literal'

/** The start of a literal over several lines: `content={[`, `{{`, `export const rows = [`. */
const opening = /(?:=\s*\{\s*|^export const [\w$]{1,100}\s*=\s*)(?=[[{][\s[{]*$)/

/**
 * Replaces long literals in properties and constants by names, because the MDX parser parses an expression again at
 * each of its closing braces. Preserves line numbers. Linear time; pure.
 */
export function hoistLiterals(source: string): { text: string; literals: Map<string, LiteralValue> } {
  const literals = new Map<string, LiteralValue>()
  const parts: string[] = []
  let end = 0
  let charsLeft = source.length * passesMax
  for (const start of source.includes(prefix) ? [] : listOpenings(source)) {
    if (start < end || charsLeft < 0) continue
    const found = parseAt(source, start)
    charsLeft -= found.end - start
    const written = source.slice(start, found.end)
    const breaks = written.split('\n').length - 1
    const value = found.expression === null ? undefined : readLiteral(found.expression, new Map())
    if (value === undefined || breaks < linesMin) continue
    const name = `${prefix}${literals.size}`
    literals.set(name, value)
    parts.push(source.slice(end, start), name, '\n'.repeat(breaks))
    end = found.end
  }
  return { text: [...parts, source.slice(end)].join(''), literals }
}

function listOpenings(source: string): number[] {
  const isCode = createFenceTracker()
  const starts: number[] = []
  let offset = 0
  for (const line of source.split('\n')) {
    const match = isCode(line) || line.length > 1000 ? null : opening.exec(line)
    if (match !== null) starts.push(offset + match.index + match[0].length)
    offset += line.length + 1
  }
  return starts
}

function parseAt(source: string, start: number): { expression: Expression | null; end: number } {
  try {
    const expression = parseExpressionAt(source, start, { ecmaVersion: 'latest', sourceType: 'module' })
    // Acorn's nodes are ESTree's, but its types are declared apart.
    return { expression: expression as Expression, end: expression.end }
  } catch (error) {
    // Acorn adds the position to its errors; nesting too deep for the stack has none.
    const { pos = source.length } = error as { pos?: number }
    return { expression: null, end: Math.max(start, pos) }
  }
}
