import { isCollection, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml'
import type { LiteralField, LiteralNode } from './literal-node.ts'

/** Reads a file of YAML; null if it cannot be parsed. Aliases and what they name count as code. */
export function readYamlLiterals(file: string, text: string): LiteralNode | null {
  const document = parseDocument(text, { keepSourceTokens: true, logLevel: 'error', prettyErrors: false })
  const { contents } = document
  return document.errors.length > 0 || contents === null ? null : toLiteral(file, contents)
}

function toLiteral(file: string, node: Node | null): LiteralNode {
  const [start = 0, end = 0] = node?.range ?? []
  const place = { file, start, end }
  const code: LiteralNode = { ...place, kind: 'code', isSpread: false, target: null }
  if (node === null || ('anchor' in node && node.anchor !== undefined) || node.tag !== undefined) return code
  if (isScalar(node)) return typeof node.value === 'string' ? { ...place, kind: 'text', value: node.value } : code
  if (!isCollection(node)) return code
  const isBlock = node.flow !== true
  if (isSeq<Node>(node)) {
    const items = node.items.map((item) => toLiteral(file, item))
    const dashes = isBlock ? listDashes(node.srcToken) : null
    return { ...place, end: isBlock ? (items.at(-1)?.end ?? end) : end, kind: 'list', dashes, items }
  }
  if (!isMap<Node, Node | null>(node)) return code
  const fields = node.items.map((pair) => toField(file, pair))
  return { ...place, end: isBlock ? (fields.at(-1)?.end ?? end) : end, kind: 'record', isBlock, fields }
}

function toField(file: string, { key, value }: Pair<Node, Node | null>): LiteralField {
  const [start = 0, keyEnd = start] = key.range ?? []
  // A key without a value.
  const nothing: LiteralNode = { kind: 'code', file, start: keyEnd, end: keyEnd, isSpread: false, target: null }
  const literal = value === null ? nothing : toLiteral(file, value)
  return { key: isScalar(key) ? String(key.value) : '', start, end: literal.end, value: literal }
}

function listDashes(token: unknown): number[] {
  // The source token of a block sequence, as the documentation of `yaml` describes it.
  const { items = [] } = (token ?? {}) as { items?: { start?: { type: string; offset: number }[] }[] }
  return items.flatMap(({ start = [] }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [])
}
