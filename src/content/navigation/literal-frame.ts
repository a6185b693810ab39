import type { AnyNode, ObjectExpression, Property } from 'acorn'
import { parseConfigModule } from '../site-config/config-module.ts'
import { readJsonLiterals } from './json-literals.ts'
import type { LiteralCode, LiteralField, LiteralNode } from './literal-node.ts'
import { readYamlLiterals } from './yaml-literals.ts'

/**
 * Reads a file as literals and the text around them, by syntax alone: names are not followed.
 *
 * @returns Null if it is not JSON, YAML, JavaScript or TypeScript, or cannot be parsed.
 */
export function readLiteralFrame(file: string, text: string): LiteralCode | null {
  const inner = readInner(file, text)
  return inner && { kind: 'code', file, start: 0, end: text.length, isSpread: false, target: null, inner }
}

function readInner(file: string, text: string): LiteralNode[] | null {
  try {
    if (/\.[cm]?[jt]sx?$/i.test(file)) return findLiterals(file, parseConfigModule(file, text).program)
    const read = /\.jsonc?$/i.test(file) ? readJsonLiterals : /\.ya?ml$/i.test(file) ? readYamlLiterals : null
    const root = read?.(file, text) ?? null
    return root && [root]
  } catch {
    // Parsers throw for wrong syntax, and for nesting that exhausts the stack.
    return null
  }
}

function findLiterals(file: string, node: AnyNode): LiteralNode[] {
  return childrenOf(node).flatMap((child) =>
    child.type === 'ArrayExpression' || child.type === 'ObjectExpression'
      ? [toLiteral(file, child)]
      : findLiterals(file, child),
  )
}

/** The nodes below a node, in file order. */
function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .toSorted((one, other) => one.start - other.start)
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value
}

function toLiteral(file: string, node: AnyNode): LiteralNode {
  const { start, end } = node
  const place = { file, start, end }
  if (node.type === 'Literal' && typeof node.value === 'string') return { ...place, kind: 'text', value: node.value }
  if (node.type === 'ArrayExpression') {
    const items = node.elements.flatMap((item) => (item === null ? [] : [toLiteral(file, item)]))
    return { ...place, kind: 'list', dashes: null, items }
  }
  if (node.type === 'ObjectExpression') return { ...place, kind: 'record', isBlock: false, ...readFields(file, node) }
  const isSpread = node.type === 'SpreadElement'
  return { ...place, kind: 'code', isSpread, target: null, inner: findLiterals(file, node) }
}

function readFields(file: string, { properties }: ObjectExpression) {
  const isField = (property: ObjectExpression['properties'][number]): property is Property =>
    property.type === 'Property' && !property.computed && !property.method && !property.shorthand
  const fields = properties.filter(isField).map(({ key, value, start, end }): LiteralField => {
    const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
    return { key: name, start, end, value: toLiteral(file, value) }
  })
  const others = properties.filter((property) => !isField(property)).map(({ start, end }) => ({ start, end }))
  return { fields, others }
}
