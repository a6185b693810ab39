import { visitorKeys, type Node } from 'oxc-parser'
import { lineAt, parseSource } from '../parse-source.ts'

/** One change to a source file that its tests should notice. */
export interface Mutant {
  /** Where the changed text starts and ends; UTF-16 offsets. */
  start: number
  end: number
  replacement: string
  /** From 1. */
  line: number
}

type Change = Omit<Mutant, 'line'>

/** A node and its ancestors, innermost last. */
interface Place {
  source: string
  ancestors: readonly Node[]
}

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
}
const assignments: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '*=': '/=', '??=': '=', '||=': '=' }
const swappedMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}
/** Methods that return the type they are called on. */
const transforms =
  /^(?:filter|flat|normalize|padEnd|padStart|replace|replaceAll|slice|toLowerCase|toReversed|toSorted|toUpperCase|trim|trimEnd|trimStart)$/

/** Calls for operators, and cleanup without visible effect. */
const unobserved =
  /(?:\b(?:console|log|logger|metrics|span|telemetry)\??\.|\b(?:reportError|clearTimeout|clearInterval|unref|removeEventListener)$)/

/** Text that people read: its wording is not what tests should hold. */
const sentence = /\S\s+\S+\s+\S/
const documented = /\.(?:addHelpText|argument|describe|description|meta|openapi|option|requiredOption|summary)$/
const documentation = /^(?:cause|description|summary|examples?|tags)$/

/**
 * Lists the mutants of the functions in a source file, in source order: conditions, operators,
 * boundaries, constants, guards, statements, arguments, properties, `await`, and calls that clean or narrow a value.
 * Types, tables of a module, logging, errors and documentation are left alone. Some of the changes do not compile.
 *
 * @param path Its extension determines the language.
 */
export function listMutants(path: string, source: string): Mutant[] {
  const { program } = parseSource(path, source)
  const found: Mutant[] = []
  walk(program, { source, ancestors: [] }, (node, place) => {
    for (const change of isInFunction(place) ? changesOf(node, place) : []) {
      if (source.slice(change.start, change.end) === change.replacement) continue
      found.push({ ...change, line: lineAt(source, change.start) })
    }
  })
  return found.toSorted((a, b) => a.start - b.start)
}

export function applyMutant(source: string, { start, end, replacement }: Mutant): string {
  return source.slice(0, start) + replacement + source.slice(end)
}

function walk(node: Node, place: Place, visit: (node: Node, place: Place) => void): void {
  if (isLeftAlone(node, place)) return
  visit(node, place)
  const inner = { ...place, ancestors: [...place.ancestors, node] }
  const isDocumenting = node.type === 'CallExpression' && documented.test(textOf(node.callee, place.source))
  for (const key of isDocumenting ? ['callee'] : (visitorKeys[node.type] ?? [])) {
    const children: unknown = (node as unknown as Record<string, unknown>)[key] // `visitorKeys` names what each node has.
    for (const child of Array.isArray(children) ? children : [children]) if (isNode(child)) walk(child, inner, visit)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function isLeftAlone(node: Node, { source, ancestors }: Place): boolean {
  if (/^TS(?!As|NonNull|Satisfies)|^Import|^ExportAll/.test(node.type)) return true
  if (node.type === 'CallExpression') return unobserved.test(textOf(node.callee, source))
  // The compiler checks error codes; the rest of an error is for people.
  if (node.type === 'NewExpression') return textOf(node.callee, source).endsWith('Error')
  return ancestors.at(-1)?.type === 'Property' && (ancestors.at(-1) as { key?: Node }).key === node
}

type Operators = { [Type in Node['type']]?: (node: Extract<Node, { type: Type }>, place: Place) => Change[] }

const operators: Operators = {
  BinaryExpression: (node, { source }) =>
    (comparisons[node.operator] ?? []).map((operator) =>
      replace(node, `${textOf(node.left, source)} ${operator} ${textOf(node.right, source)}`),
    ),
  LogicalExpression: changeLogical,
  IfStatement: (node, { source }) => [replace(node.test, `!(${textOf(node.test, source)})`), ...dropGuard(node)],
  ConditionalExpression: ({ test }, { source }) => [replace(test, `!(${textOf(test, source)})`)],
  UnaryExpression: (node, { source }) => (node.operator === '!' ? [replace(node, textOf(node.argument, source))] : []),
  AssignmentExpression: (node, { source }) => {
    const operator = assignments[node.operator]
    if (operator === undefined) return []
    return [replace(node, `${textOf(node.left, source)} ${operator} ${textOf(node.right, source)}`)]
  },
  UpdateExpression: (node, { source }) => [
    replace(node, textOf(node, source).replaceAll(node.operator, node.operator === '++' ? '--' : '++')),
  ],
  ExpressionStatement: changeStatement,
  AwaitExpression: (node, { source }) => {
    const awaited = textOf(node.argument, source)
    // Delayed cleanup has no visible effect.
    return /\.(?:cancel|close|return)\(\)$/.test(awaited) ? [] : [replace(node, awaited)]
  },
  CallExpression: changeCall,
  ObjectExpression: dropProperties,
  Literal: changeLiteral,
  BlockStatement: returnEarly,
}

function changesOf(node: Node, place: Place): Change[] {
  // The table has the operator for nodes of this very type.
  const operator = operators[node.type] as ((node: Node, place: Place) => Change[]) | undefined
  return operator?.(node, place) ?? []
}

function changeLogical(node: Extract<Node, { type: 'LogicalExpression' }>, { source }: Place): Change[] {
  const [left, right] = [textOf(node.left, source), textOf(node.right, source)]
  if (node.operator === '??') return [replace(node, left)]
  // In parentheses, because the two operators differ in precedence.
  return [replace(node, `(${left} ${node.operator === '&&' ? '||' : '&&'} ${right})`)]
}

/** Continues where the code would have returned. */
function dropGuard(node: Extract<Node, { type: 'IfStatement' }>): Change[] {
  const { consequent, alternate } = node
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent
  const leaves = /^(?:Return|Throw|Continue|Break)Statement$/.test(last?.type ?? '')
  return leaves && alternate === null ? [replace(node, ';')] : []
}

function changeStatement(node: Extract<Node, { type: 'ExpressionStatement' }>, { source, ancestors }: Place): Change[] {
  const { expression } = node
  const called = expression.type === 'AwaitExpression' ? expression.argument : expression
  if (called.type === 'CallExpression' && unobserved.test(textOf(called.callee, source))) return []
  // A directive, or what a module does when it is loaded.
  return ancestors.length < 2 ? [] : [replace(node, ';')]
}

function changeCall(node: Extract<Node, { type: 'CallExpression' }>, { source }: Place): Change[] {
  const { callee } = node
  if (documented.test(textOf(callee, source))) return []
  const changes: Change[] = []
  const [first] = node.arguments
  const last = node.arguments.at(-1)
  if (last !== undefined) changes.push(dropFromList(last, node, source))
  if (callee.type === 'Identifier' && node.arguments.length === 1 && first !== undefined && /^[a-z]/.test(callee.name))
    if (first.type !== 'SpreadElement') changes.push(replace(node, textOf(first, source)))
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && !callee.computed) {
    const { name } = callee.property
    const swapped = Object.hasOwn(swappedMethods, name) ? swappedMethods[name] : undefined
    if (swapped !== undefined) changes.push(replace(callee.property, swapped))
    if (transforms.test(name)) changes.push(replace(node, textOf(callee.object, source)))
  }
  return changes
}

function dropProperties(node: Extract<Node, { type: 'ObjectExpression' }>, { source }: Place): Change[] {
  const logic = node.properties.filter(
    (property) => property.type === 'SpreadElement' || !documentation.test(textOf(property.key, source)),
  )
  return node.properties.length < 2 ? [] : logic.map((property) => dropFromList(property, node, source))
}

/** Takes a member out of a list, with the comma before or after it. */
function dropFromList(member: Node, list: Node, source: string): Change {
  const after = /^\s*,\s*/.exec(source.slice(member.end, list.end))?.[0] ?? ''
  const before = /,\s*$/.exec(source.slice(list.start, member.start))?.[0] ?? ''
  if (after !== '') return { start: member.start, end: member.end + after.length, replacement: '' }
  return { start: member.start - before.length, end: member.end, replacement: '' }
}

function changeLiteral(node: Extract<Node, { type: 'Literal' }>): Change[] {
  const { value } = node
  if (typeof value === 'boolean') return [replace(node, `${!value}`)]
  if (typeof value === 'number') return [replace(node, value === 1 ? '0' : `${value + 1}`)]
  if (typeof value !== 'string' || sentence.test(value)) return []
  return [replace(node, value === '' ? "'mutated'" : "''")]
}

/** Returns nothing from a function without a result. */
function returnEarly(node: Extract<Node, { type: 'BlockStatement' }>, { source, ancestors }: Place): Change[] {
  const owner = ancestors.at(-1)
  const isBody = owner !== undefined && /Function/.test(owner.type)
  if (!isBody || node.body.length === 0 || /\breturn [^;\n]|\byield\b/.test(textOf(node, source))) return []
  return [{ start: node.start + 1, end: node.start + 1, replacement: ' return;' }]
}

function isInFunction({ ancestors }: Place): boolean {
  return ancestors.some(({ type }) => /Function/.test(type))
}

function replace({ start, end }: Node, replacement: string): Change {
  return { start, end, replacement }
}

function textOf({ start, end }: Node, source: string): string {
  return source.slice(start, end)
}
