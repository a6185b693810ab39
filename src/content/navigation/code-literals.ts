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
    if (binding.kind === 'function') return this.#returned(module, binding.node, depth)
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
        return { ...place, kind: 'list', dashes: null, items }
      }
      case 'ObjectExpression':
        return { ...place, kind: 'record', isBlock: false, ...this.#fields(module, node, depth + 1) }
      case 'Identifier': {
        const binding = module.bindings.get(node.name)
        return stand(binding && this.#binding(module, binding, depth + 1))
      }
      case 'MemberExpression': {
        const { object, property } = node
        if (node.computed || property.type !== 'Identifier' || object.type === 'Super') return code
        return stand(fieldOf(this.#read(module, object, depth + 1), property.name))
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return stand(this.#returned(module, node, depth + 1))
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
    const binding = module.bindings.get(callee.name)
    const called = { ...code, callee: callee.name }
    if (binding?.kind === 'function') return { ...called, target: this.#returned(module, binding.node, depth) ?? null }
    const own = binding && this.#binding(module, binding, depth)
    if (own !== undefined) return { ...called, target: own }
    const [first] = inputs
    const isPassing = passing.test(callee.name) || /starlight/i.test(callee.name)
    if (!isPassing || first === undefined || first.type === 'SpreadElement') return called
    return { ...called, target: this.#read(module, first, depth) }
  }

  /** What a function returns that does nothing else. */
  #returned(
    module: ConfigModule,
    { body }: Extract<AnyNode, { body: unknown; params: unknown }>,
    depth: number,
  ): LiteralNode | undefined {
    if (body.type !== 'BlockStatement') return this.#read(module, body, depth)
    const last = body.body.at(-1)
    return body.body.length === 1 && last?.type === 'ReturnStatement' && last.argument
      ? this.#read(module, last.argument, depth)
      : undefined
  }
}

function keyOf({ key, computed, kind }: Property): string | null {
  if (computed || kind !== 'init') return null
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
}
