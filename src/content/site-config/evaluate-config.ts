import type { AnyNode, Expression, SpreadElement } from 'acorn'
import type { Binding, ConfigModule } from './config-module.ts'
import { ComputedValue, type ConfigValue, isConfigObject } from './config-value.ts'
import type { ConfigModules } from './read-config-code.ts'

type FunctionNode = Extract<AnyNode, { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }>

/** A function in the configuration, evaluated where it is called. */
class ConfigFunction extends ComputedValue {
  readonly node: FunctionNode
  readonly scope: Scope

  constructor(node: FunctionNode, scope: Scope) {
    super({ file: scope.module.file, line: lineOf(node) })
    this.node = node
    this.scope = scope
  }
}

interface Scope {
  module: ConfigModule
  /** Parameters and constants of the functions being evaluated. */
  locals: ReadonlyMap<string, ConfigValue>
}

export interface ConfigEvaluation {
  exported: (file: string, name: string) => ConfigValue
  inputs: (module: ConfigModule, nodes: readonly (Expression | SpreadElement)[]) => ConfigValue[]
}

const depthMax = 150
/** Most values in total, because spreads and calls can expand a small file without end. */
const valuesMax = 300_000
const textCharsMax = 100_000

/** Evaluates parsed configuration by constant folding: no loops, no assignments, no external input. */
export function evaluateConfig(modules: ConfigModules): ConfigEvaluation {
  const evaluation = new Evaluation(modules)
  return {
    exported: (file, name) => {
      const value = evaluation.exported(file, name, 0)
      return value instanceof ConfigFunction ? evaluation.call(value, [], 0) : value
    },
    inputs: (module, nodes) => evaluation.list(nodes, { module, locals: new Map() }, 0),
  }
}

class Evaluation {
  readonly #modules: ConfigModules
  /** Evaluated bindings; null during evaluation, to detect cycles. */
  readonly #known = new Map<Binding, ConfigValue | null>()
  #valuesLeft = valuesMax

  constructor(modules: ConfigModules) {
    this.#modules = modules
  }

  exported(file: string, name: string, depth: number): ConfigValue {
    const document = this.#modules.documents.get(file)
    if (document !== undefined) return this.#member(this.#copy(document, depth), name === 'default' ? '*' : name)
    const module = this.#modules.modules.get(file)
    const binding = module?.exported.get(name)
    return module === undefined || binding === undefined ? undefined : this.#binding(module, binding, depth)
  }

  #binding(module: ConfigModule, binding: Binding, depth: number): ConfigValue {
    const known = this.#known.get(binding)
    if (known === null) return new ComputedValue({ file: module.file, line: 1 })
    if (known !== undefined) return known
    this.#known.set(binding, null)
    const value = this.#readBinding({ module, locals: new Map() }, binding, depth + 1)
    this.#known.set(binding, value)
    return value
  }

  #readBinding(scope: Scope, binding: Binding, depth: number): ConfigValue {
    if (binding.kind === 'function') return new ConfigFunction(binding.node, scope)
    if (binding.kind === 'import') return this.#imported(scope.module.file, binding.reference, binding.exported, depth)
    const value = this.read(binding.node, scope, depth)
    return binding.member === null ? value : this.#member(value, binding.member)
  }

  #imported(from: string, reference: string, exported: string, depth: number): ConfigValue {
    const file = this.#modules.resolve(from, reference)
    if (file === null) return new ComputedValue({ file: from, line: 1 })
    if (exported !== '*') return this.exported(file, exported, depth)
    const names = this.#modules.modules.get(file)?.exported.keys() ?? []
    return toObject([...names].map((name) => [name, this.exported(file, name, depth)]))
  }

  list(nodes: readonly (Expression | SpreadElement | null)[], scope: Scope, depth: number): ConfigValue[] {
    return nodes.flatMap((node): ConfigValue[] => {
      if (node === null) return [null]
      if (node.type !== 'SpreadElement') return [this.read(node, scope, depth)]
      const inner = this.read(node.argument, scope, depth)
      if (!Array.isArray(inner)) return inner instanceof ComputedValue ? [inner] : []
      this.#valuesLeft -= inner.length
      return this.#valuesLeft < 0 ? [] : inner
    })
  }

  read(node: Expression, scope: Scope, depth: number): ConfigValue {
    const unread = () => new ComputedValue({ file: scope.module.file, line: lineOf(node) })
    if (depth > depthMax || --this.#valuesLeft < 0) return unread()
    const read = (inner: Expression) => this.read(inner, scope, depth + 1)
    const bare = withoutType(node)
    if (bare !== node) return read(bare)
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- everything else would have to be run
    switch (node.type) {
      case 'Literal':
        return isPlain(node.value) ? node.value : unread()
      case 'TemplateLiteral':
        return (
          joinTexts(
            [...node.quasis].flatMap((quasi, index) => {
              const inner = node.expressions[index]
              const text: ConfigValue = quasi.value.cooked ?? quasi.value.raw
              return inner === undefined ? [text] : [text, read(inner)]
            }),
          ) ?? unread()
        )
      case 'Identifier':
        return this.#name(node.name, scope, depth, unread)
      case 'ArrayExpression':
        return this.list(node.elements, scope, depth + 1)
      case 'ObjectExpression':
        return this.#object(node, scope, depth + 1)
      case 'MemberExpression':
        return this.#readMember(node, scope, depth + 1)
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return read(node.expression)
      case 'AwaitExpression':
        return read(node.argument)
      case 'UnaryExpression':
        return readUnary(node.operator, read(node.argument)) ?? unread()
      case 'BinaryExpression':
        return node.left.type === 'PrivateIdentifier'
          ? unread()
          : (readBinary(node.operator, read(node.left), read(node.right)) ?? unread())
      case 'LogicalExpression':
        return this.#readLogical(node, read)
      case 'ConditionalExpression': {
        const test = read(node.test)
        return test instanceof ComputedValue ? unread() : read(test ? node.consequent : node.alternate)
      }
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return new ConfigFunction(node, scope)
      case 'CallExpression':
        return this.#readCall(node, scope, depth + 1)
      default:
        return unread()
    }
  }

  #name(name: string, scope: Scope, depth: number, unread: () => ComputedValue): ConfigValue {
    if (scope.locals.has(name)) return scope.locals.get(name)
    const binding = scope.module.bindings.get(name)
    if (binding === undefined) return name === 'undefined' ? undefined : unread()
    const value = this.#binding(scope.module, binding, depth)
    // Values from packages keep their local name, by which calls to them are found.
    return value instanceof ComputedValue &&
      binding.kind === 'import' &&
      value.callee === '' &&
      !(value instanceof ConfigFunction)
      ? new ComputedValue(value, { callee: name, inputs: [] })
      : value
  }

  #object(node: Extract<Expression, { type: 'ObjectExpression' }>, scope: Scope, depth: number): ConfigValue {
    const entries: [string, ConfigValue][] = []
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const inner = this.read(property.argument, scope, depth)
        if (!isConfigObject(inner)) continue
        const copied = Object.entries(inner)
        this.#valuesLeft -= copied.length
        if (this.#valuesLeft > 0) entries.push(...copied)
        continue
      }
      const key = property.computed
        ? this.read(property.key, scope, depth)
        : property.key.type === 'Identifier'
          ? property.key.name
          : property.key.type === 'Literal'
            ? String(property.key.value)
            : null
      if (typeof key === 'string') entries.push([key, this.read(property.value, scope, depth)])
    }
    return toObject(entries)
  }

  #readMember(node: Extract<Expression, { type: 'MemberExpression' }>, scope: Scope, depth: number): ConfigValue {
    // Evaluate as if there were no environment variables.
    if (isEnvironment(node.object)) return undefined
    const unread = new ComputedValue({ file: scope.module.file, line: lineOf(node) })
    if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') return unread
    const holder = this.read(node.object, scope, depth)
    const key =
      !node.computed && node.property.type === 'Identifier'
        ? node.property.name
        : this.read(node.property, scope, depth)
    if (holder instanceof ComputedValue) return unread
    return typeof key === 'string' || typeof key === 'number' ? this.#member(holder, String(key)) : unread
  }

  #member(holder: ConfigValue, key: string): ConfigValue {
    if (key === '*') return holder
    if (Array.isArray(holder)) return /^\d+$/.test(key) ? holder[Number(key)] : undefined
    return isConfigObject(holder) ? holder[key] : undefined
  }

  #readLogical(
    node: Extract<Expression, { type: 'LogicalExpression' }>,
    read: (inner: Expression) => ConfigValue,
  ): ConfigValue {
    const left = read(node.left)
    if (left instanceof ComputedValue) return left
    if (node.operator === '??') return left ?? read(node.right)
    return (node.operator === '||') === Boolean(left) ? left : read(node.right)
  }

  #readCall(node: Extract<Expression, { type: 'CallExpression' }>, scope: Scope, depth: number): ConfigValue {
    const { callee } = node
    const inputs = this.list(node.arguments, scope, depth)
    const place = { file: scope.module.file, line: lineOf(node) }
    if (callee.type === 'Super') return new ComputedValue(place)
    if (callee.type === 'MemberExpression') return this.#readMethod(callee, inputs, scope, depth, place)
    const [first] = inputs
    if (callee.type === 'Identifier' && callee.name === 'require' && typeof first === 'string') {
      const found = this.#imported(scope.module.file, first, 'default', depth)
      return found === undefined ? new ComputedValue(place) : found
    }
    const target = this.read(callee, scope, depth)
    if (target instanceof ConfigFunction) return this.call(target, inputs, depth)
    return new ComputedValue(place, {
      callee: callee.type === 'Identifier' ? callee.name : target instanceof ComputedValue ? target.callee : '',
      inputs,
    })
  }

  /** Supports the few methods that are common in configuration. */
  #readMethod(
    callee: Extract<Expression, { type: 'MemberExpression' }>,
    inputs: readonly ConfigValue[],
    scope: Scope,
    depth: number,
    place: { file: string; line: number },
  ): ConfigValue {
    const name = callee.property.type === 'Identifier' && !callee.computed ? callee.property.name : ''
    const owner = callee.object.type === 'Identifier' ? callee.object.name : ''
    const texts = inputs.filter((input) => typeof input === 'string')
    if (owner === 'require' && name === 'resolve' && texts[0] !== undefined) return texts[0]
    if (owner === 'path' && (name === 'join' || name === 'resolve')) return `./${texts.join('/')}`
    if (callee.object.type === 'Super') return new ComputedValue(place)
    const holder = this.read(callee.object, scope, depth)
    const [first] = inputs
    if (Array.isArray(holder)) {
      if (name === 'concat') return [...holder, ...inputs.flat()].slice(0, Math.max(0, this.#valuesLeft))
      if (name === 'flat') return holder.flat()
      if (name === 'filter')
        return holder.filter((item) => item !== undefined && item !== null && item !== false && item !== '')
      if (name === 'map' && first instanceof ConfigFunction)
        return holder.map((item, index) => this.call(first, [item, index], depth))
    }
    const target = this.#member(holder, name)
    if (target instanceof ConfigFunction) return this.call(target, inputs, depth)
    return new ComputedValue(place, { callee: name, inputs })
  }

  /** Evaluates a function that only declares constants before it returns. */
  call(target: ConfigFunction, inputs: readonly ConfigValue[], depth: number): ConfigValue {
    const { node, scope } = target
    const unread = new ComputedValue({ file: target.file, line: target.line }, { callee: '', inputs })
    if (depth > depthMax || --this.#valuesLeft < 0) return unread
    const locals = new Map(scope.locals)
    for (const [index, parameter] of node.params.entries()) {
      const name = parameter.type === 'AssignmentPattern' ? parameter.left : parameter
      if (name.type === 'Identifier') locals.set(name.name, inputs[index])
    }
    const inner = { module: scope.module, locals }
    if (node.body.type !== 'BlockStatement') return this.read(node.body, inner, depth + 1)
    for (const statement of node.body.body) {
      if (statement.type === 'ReturnStatement')
        return statement.argument ? this.read(statement.argument, inner, depth + 1) : undefined
      if (statement.type === 'VariableDeclaration') {
        for (const { id, init } of statement.declarations) {
          if (id.type === 'Identifier' && init) locals.set(id.name, this.read(init, inner, depth + 1))
        }
      } else if (statement.type !== 'FunctionDeclaration') return unread
      else locals.set(statement.id.name, new ConfigFunction(statement, inner))
    }
    return undefined
  }

  /** Converts JSON to a configuration value. */
  #copy(value: unknown, depth: number): ConfigValue {
    if (isPlain(value)) return value
    if (depth > depthMax || --this.#valuesLeft < 0) return undefined
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, depth + 1))
    if (typeof value !== 'object') return undefined
    return toObject(Object.entries(value).map(([key, inner]) => [key, this.#copy(inner, depth + 1)]))
  }
}

function toObject(entries: readonly (readonly [string, ConfigValue])[]): { [key: string]: ConfigValue } {
  const object: { [key: string]: ConfigValue } = Object.create(null)
  for (const [key, value] of entries) object[key] = value
  return object
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Strips `as T`, `satisfies T` and `!`. The TypeScript plugin adds these nodes, which acorn's types lack. */
export function withoutType(node: Expression): Expression {
  const typed: { type: string; expression?: Expression } = node as never
  return /^TS(?:As|Satisfies|NonNull|TypeAssertion)/.test(typed.type) && typed.expression ? typed.expression : node
}

function lineOf(node: AnyNode): number {
  return node.loc?.start.line ?? 1
}

/** Matches `process.env` and `import.meta.env`. */
function isEnvironment(node: AnyNode): boolean {
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier' || node.property.name !== 'env')
    return false
  return node.object.type === 'MetaProperty' || (node.object.type === 'Identifier' && node.object.name === 'process')
}

function joinTexts(parts: readonly ConfigValue[]): string | null {
  let text = ''
  for (const part of parts) {
    if (typeof part !== 'string' && typeof part !== 'number') return null
    text += String(part)
    if (text.length > textCharsMax) return null
  }
  return text
}

function readUnary(operator: string, value: ConfigValue): ConfigValue | null {
  if (value instanceof ComputedValue) return null
  if (operator === '!') return !value
  if (operator === '-' && typeof value === 'number') return -value
  return null
}

function readBinary(operator: string, left: ConfigValue, right: ConfigValue): ConfigValue | null {
  if (left instanceof ComputedValue || right instanceof ComputedValue) return null
  if (operator === '===' || operator === '==') return left === right
  if (operator === '!==' || operator === '!=') return left !== right
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return joinTexts([left, right])
  return null
}
