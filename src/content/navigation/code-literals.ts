import type { AnyNode, Expression, Property, SpreadElement } from 'acorn'
import type { Binding, ConfigModule } from '../site-config/config-module.ts'
import { withoutType } from '../site-config/evaluate-config.ts'
import type { ConfigModules } from '../site-config/read-config-code.ts'
import { readJsonLiterals } from './json-literals.ts'
import {
  fieldOf,
  type LiteralCode,
  type LiteralField,
  type LiteralNode,
  type LiteralRecord,
  resolveLiteral,
} from './literal-node.ts'

type ObjectNode = Extract<Expression, { type: 'ObjectExpression' }>

const depthMax = 60
/** Spreads can expand a small file without end. */
const nodesMax = 100_000

/** Functions that return what they are given. */
const passing = /^(?:define|with)[A-Z]\w*$/

/** Finds the literals of configuration that is code, without running it. */
export class CodeLiterals {
  readonly #modules: ConfigModules
  readonly #texts: ReadonlyMap<string, string>
  #nodesLeft = nodesMax
  /** Parameters of the functions being read, with the arguments of the call; null if one cannot be told. */
  #scope: ReadonlyMap<string, LiteralNode | null> = new Map()
  #isShared = false
  readonly #changed = new Map<ConfigModule, ReadonlySet<string>>()

  /** @param texts The files as they are stored, by path. */
  constructor(modules: ConfigModules, texts: ReadonlyMap<string, string>) {
    this.#modules = modules
    this.#texts = texts
  }

  /** The value of an export; undefined if there is none. */
  exported(file: string, name: string, depth = 0): LiteralNode | undefined {
    if (file.endsWith('.json')) return readJsonLiterals(file, this.#texts.get(file) ?? '') ?? undefined
    const module = this.#modules.modules.get(file)
    const binding = module?.exported.get(name)
    return module === undefined || binding === undefined ? undefined : this.#binding(module, binding, depth + 1)
  }

  #binding(module: ConfigModule, binding: Binding, depth: number): LiteralNode | undefined {
    return this.#within({ scope: new Map(), isShared: false }, () => this.#bound(module, binding, depth))
  }

  #bound(module: ConfigModule, binding: Binding, depth: number): LiteralNode | undefined {
    if (binding.kind === 'function') return this.#returned(module, binding.node, { inputs: null, depth })
    if (binding.kind === 'value') {
      const value = this.#read(module, binding.node, depth)
      return binding.member === null ? value : fieldOf(value, binding.member)
    }
    const file = this.#modules.resolve(module.file, binding.reference)
    return file === null || depth > depthMax ? undefined : this.exported(file, binding.exported, depth)
  }

  #read(module: ConfigModule, node: Expression, depth: number): LiteralNode {
    const place = { file: module.file, start: node.start, end: node.end }
    const code: LiteralCode = { ...place, kind: 'code', isSpread: false, target: null }
    if (depth > depthMax || --this.#nodesLeft < 0) return code
    const bare = withoutType(node)
    if (bare !== node) return this.#read(module, bare, depth + 1)
    const stand = (target: LiteralNode | undefined) => ({ ...code, target: target ?? null })
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- everything else would have to be run
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? { ...place, kind: 'text', value: node.value } : code
      case 'TemplateLiteral': {
        const [only] = node.quasis
        const value = node.expressions.length > 0 ? null : only?.value.cooked
        return typeof value === 'string' ? { ...place, kind: 'text', value } : code
      }
      case 'ArrayExpression': {
        const items = node.elements.flatMap((item) => (item === null ? [] : [this.#item(module, item, depth + 1)]))
        return { ...place, kind: 'list', dashes: null, items, ...(this.#isShared && { isShared: true }) }
      }
      case 'ObjectExpression':
        return { ...place, kind: 'record', isBlock: false, ...this.#fields(module, node, depth + 1) }
      case 'Identifier': {
        const argument = this.#scope.get(node.name)
        if (argument !== undefined) return stand(argument ?? undefined)
        const binding = module.bindings.get(node.name)
        return stand(
          binding && !this.#isChanged(module, node.name) ? this.#binding(module, binding, depth + 1) : undefined,
        )
      }
      case 'MemberExpression': {
        const { object, property } = node
        if (node.computed || property.type !== 'Identifier' || object.type === 'Super') return code
        return stand(fieldOf(this.#read(module, object, depth + 1), property.name))
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return stand(this.#returned(module, node, { inputs: null, depth: depth + 1 }))
      case 'AwaitExpression':
        return this.#read(module, node.argument, depth + 1)
      case 'CallExpression':
        return this.#call(module, node, { code, depth: depth + 1 })
      default:
        return code
    }
  }

  #item(module: ConfigModule, item: Expression | SpreadElement, depth: number): LiteralNode {
    if (item.type !== 'SpreadElement') return this.#read(module, item, depth)
    const place = { file: module.file, start: item.start, end: item.end }
    return { ...place, kind: 'code', isSpread: true, target: this.#read(module, item.argument, depth) }
  }

  #fields(module: ConfigModule, node: ObjectNode, depth: number): Pick<LiteralRecord, 'fields' | 'others'> {
    const others = node.properties.filter((property) => property.type === 'SpreadElement' || keyOf(property) === null)
    const fields = node.properties.flatMap((property): LiteralField[] => {
      if (property.type === 'SpreadElement') {
        const record = resolveLiteral(this.#read(module, property.argument, depth))
        return record?.kind === 'record' ? record.fields : []
      }
      const key = keyOf(property)
      if (key === null) return []
      return [{ key, start: property.start, end: property.end, value: this.#read(module, property.value, depth) }]
    })
    return { fields, others: others.map(({ start, end }) => ({ start, end })) }
  }

  #call(
    module: ConfigModule,
    { callee, arguments: inputs }: Extract<Expression, { type: 'CallExpression' }>,
    { code, depth }: { code: LiteralCode; depth: number },
  ): LiteralNode {
    if (callee.type !== 'Identifier') return code
    const called = { ...code, callee: callee.name }
    if (this.#scope.has(callee.name)) return called
    const binding = module.bindings.get(callee.name)
    const read = inputs.map((input) => (input.type === 'SpreadElement' ? null : this.#read(module, input, depth)))
    const own = binding && this.#called(module, binding, { inputs: read, depth })
    if (own !== undefined) return { ...called, target: own }
    const [first] = read
    const isPassing = passing.test(callee.name) || /starlight/i.test(callee.name)
    if (!isPassing || first === undefined || first === null || this.#isOwn(module, binding)) return called
    return { ...called, target: first }
  }

  /** Of the repository, so that it does more than its name says. */
  #isOwn(module: ConfigModule, binding: Binding | undefined): boolean {
    if (binding === undefined) return false
    return binding.kind !== 'import' || this.#modules.resolve(module.file, binding.reference) !== null
  }

  #called(module: ConfigModule, binding: Binding, { inputs, depth }: Call): LiteralNode | undefined {
    if (depth > depthMax) return undefined
    if (binding.kind === 'import') {
      const file = this.#modules.resolve(module.file, binding.reference)
      const other = file === null ? undefined : this.#modules.modules.get(file)
      const exported = other?.exported.get(binding.exported)
      return other && exported && this.#called(other, exported, { inputs, depth: depth + 1 })
    }
    const { node } = binding
    if (binding.kind === 'value' && node.type === 'Identifier') {
      const named = module.bindings.get(node.name)
      return named && this.#called(module, named, { inputs, depth: depth + 1 })
    }
    return isFunction(node) ? this.#returned(module, node, { inputs, depth }) : this.#binding(module, binding, depth)
  }

  /**
   * What a function returns that does nothing else.
   *
   * @param call Null inputs if it is not called here.
   */
  #returned(module: ConfigModule, { body, params }: FunctionNode, { inputs, depth }: Call): LiteralNode | undefined {
    const last = body.type === 'BlockStatement' ? body.body.at(-1) : null
    const isOnlyReturned = body.type === 'BlockStatement' && body.body.length === 1 && last?.type === 'ReturnStatement'
    const value = body.type !== 'BlockStatement' ? body : isOnlyReturned && last.argument ? last.argument : null
    if (value === null) return undefined
    const given = params.flatMap((param, index): [string, LiteralNode | null][] =>
      param.type === 'Identifier'
        ? [[param.name, inputs?.[index] ?? null]]
        : namesIn(param).map((name) => [name, null]),
    )
    const scope = new Map([...(inputs === null ? this.#scope : []), ...given])
    const isShared = this.#isShared || params.length > 0
    return this.#within({ scope, isShared }, () => this.#read(module, value, depth))
  }

  #within<Value>(
    inner: { scope: ReadonlyMap<string, LiteralNode | null>; isShared: boolean },
    read: () => Value,
  ): Value {
    const outer = { scope: this.#scope, isShared: this.#isShared }
    this.#scope = inner.scope
    this.#isShared = inner.isShared
    const value = read()
    this.#scope = outer.scope
    this.#isShared = outer.isShared
    return value
  }

  /** Whether code assigns to a name or calls a method that changes lists in place, so that its literal says too little. */
  #isChanged(module: ConfigModule, name: string): boolean {
    const known = this.#changed.get(module) ?? listChanged(module.program)
    this.#changed.set(module, known)
    return known.has(name)
  }
}

/** Null inputs: the function is named, not called. */
interface Call {
  inputs: readonly (LiteralNode | null)[] | null
  depth: number
}

type FunctionNode = Extract<AnyNode, { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }>

const isFunction = (node: AnyNode): node is FunctionNode =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)

const changing = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/

function listChanged(program: AnyNode): Set<string> {
  const changed = new Set<string>()
  const add = (node: AnyNode) => {
    const name = rootOf(node)
    if (name !== null) changed.add(name)
  }
  for (const node of nodesBelow(program)) {
    if (node.type === 'AssignmentExpression') add(node.left)
    else if (node.type === 'UnaryExpression' && node.operator === 'delete') add(node.argument)
    else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { object, property } = node.callee
      if (property.type !== 'Identifier') continue
      const [first] = node.arguments
      if (changing.test(property.name)) add(object)
      else if (property.name === 'assign' && first !== undefined) add(first)
    }
  }
  return changed
}

function rootOf(node: AnyNode): string | null {
  let root = node
  while (root.type === 'MemberExpression') root = root.object
  return root.type === 'Identifier' ? root.name : null
}

const namesIn = (pattern: AnyNode): string[] =>
  nodesBelow(pattern).flatMap((node) => (node.type === 'Identifier' ? [node.name] : []))

/** A node and all within it. */
function nodesBelow(top: AnyNode): AnyNode[] {
  const found: AnyNode[] = []
  const open: unknown[] = [top]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) open.push(...(value as unknown[]))
    else if (typeof value === 'object' && value !== null) {
      if ('type' in value) found.push(value as AnyNode)
      open.push(...Object.values(value))
    }
  }
  return found
}

function keyOf({ key, computed, kind }: Property): string | null {
  if (computed || kind !== 'init') return null
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
}
