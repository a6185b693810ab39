import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { LiteralNode } from './literal-node.ts'

/** Reads a file of JSON, comments allowed; null if it is not JSON. */
export function readJsonLiterals(file: string, text: string): LiteralNode | null {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  return root === undefined || errors.length > 0 ? null : toLiteral(file, root)
}

function toLiteral(file: string, node: Node): LiteralNode {
  const place = { file, start: node.offset, end: node.offset + node.length }
  const children = node.children ?? []
  if (node.type === 'string') return { ...place, kind: 'text', value: String(node.value) }
  if (node.type === 'array') {
    return { ...place, kind: 'list', dashes: null, items: children.map((child) => toLiteral(file, child)) }
  }
  if (node.type !== 'object') return { ...place, kind: 'code', isSpread: false, target: null }
  const fields = children.flatMap(({ offset, length, children: pair = [] }) => {
    const [key, value] = pair
    if (key === undefined || value === undefined) return []
    return [{ key: String(key.value), start: offset, end: offset + length, value: toLiteral(file, value) }]
  })
  return { ...place, kind: 'record', isBlock: false, fields }
}
