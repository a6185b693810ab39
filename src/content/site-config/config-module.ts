import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type AnyNode, type Expression, Parser, type Program } from 'acorn'

/** What a top-level name of a module is bound to. */
export type Binding =
  | { kind: 'value'; node: Expression; member: string | null }
  | { kind: 'function'; node: Extract<AnyNode, { type: 'FunctionDeclaration' | 'FunctionExpression' }> }
  | { kind: 'import'; reference: string; exported: string }

/** A parsed configuration file. Its code is never run. */
export interface ConfigModule {
  file: string
  program: Program
  bindings: ReadonlyMap<string, Binding>
  /** By exported name; `default` also for `module.exports`. */
  exported: ReadonlyMap<string, Binding>
}

type Bindings = Map<string, Binding>

/** The TypeScript parser backtracks at every nesting level. Real configuration stays far below this. */
const nestingMax = 150

/**
 * Parses JavaScript or TypeScript, with or without JSX, and lists its top-level declarations and exports.
 *
 * @throws {Error} on syntax errors, with the reason.
 */
export function parseConfigModule(file: string, text: string): ConfigModule {
  refuseDeepNesting(text)
  const program = parseProgram(file, text)
  const bindings: Bindings = new Map()
  const exported: Bindings = new Map()
  for (const statement of program.body) readStatement(statement, bindings, exported)
  return { file, program, bindings, exported }
}

function parseProgram(file: string, text: string): Program {
  const hasTypes = /\.[mc]?tsx?$/.test(file)
  const parser = Parser.extend(tsPlugin({ jsx: !hasTypes || file.endsWith('x'), dts: false }))
  return parser.parse(text, {
    sourceType: 'module',
    ecmaVersion: 'latest',
    locations: true,
    allowHashBang: true,
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
  })
}

function refuseDeepNesting(text: string): void {
  let depth = 0
  for (const character of text) {
    if ('([{<'.includes(character)) depth++
    else if (')]}>'.includes(character)) depth = Math.max(0, depth - 1)
    if (depth > nestingMax) throw new Error(`its brackets are nested more than ${nestingMax} levels deep`)
  }
}

function readStatement(statement: AnyNode, bindings: Bindings, exported: Bindings): void {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other statements declare nothing that is read
  switch (statement.type) {
    case 'ImportDeclaration':
      for (const specifier of statement.specifiers) {
        bindings.set(specifier.local.name, {
          kind: 'import',
          reference: String(statement.source.value),
          exported: specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : importedName(specifier.type),
        })
      }
      return
    case 'VariableDeclaration':
    case 'FunctionDeclaration':
      declare(statement, bindings)
      return
    case 'ExportNamedDeclaration':
      readExport(statement, bindings, exported)
      return
    case 'ExportDefaultDeclaration': {
      const { declaration } = statement
      if (declaration.type === 'FunctionDeclaration')
        exported.set('default', { kind: 'function', node: declaration as never })
      else if (declaration.type !== 'ClassDeclaration')
        exported.set('default', { kind: 'value', node: declaration, member: null })
      return
    }
    case 'ExpressionStatement':
      readCommonExport(statement.expression, exported)
  }
}

function importedName(type: 'ImportDefaultSpecifier' | 'ImportNamespaceSpecifier'): string {
  return type === 'ImportDefaultSpecifier' ? 'default' : '*'
}

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? String(node.value)
}

function declare(statement: AnyNode, into: Bindings): void {
  if (statement.type === 'FunctionDeclaration' && statement.id !== null)
    into.set(statement.id.name, { kind: 'function', node: statement })
  if (statement.type !== 'VariableDeclaration') return
  for (const { id, init } of statement.declarations) {
    if (init === null || init === undefined) continue
    if (id.type === 'Identifier') into.set(id.name, { kind: 'value', node: init, member: null })
    if (id.type !== 'ObjectPattern') continue
    for (const property of id.properties) {
      if (property.type === 'Property' && property.value.type === 'Identifier' && property.key.type === 'Identifier')
        into.set(property.value.name, { kind: 'value', node: init, member: property.key.name })
    }
  }
}

function readExport(
  statement: Extract<AnyNode, { type: 'ExportNamedDeclaration' }>,
  bindings: Bindings,
  exported: Bindings,
): void {
  if (statement.declaration !== null && statement.declaration !== undefined) {
    const declared: Bindings = new Map()
    declare(statement.declaration, declared)
    for (const [name, binding] of declared) {
      bindings.set(name, binding)
      exported.set(name, binding)
    }
  }
  for (const { local, exported: name } of statement.specifiers) {
    if (statement.source !== null && statement.source !== undefined) {
      const reference = String(statement.source.value)
      exported.set(nameOf(name), { kind: 'import', reference, exported: nameOf(local) })
    } else if (local.type === 'Identifier') {
      exported.set(nameOf(name), { kind: 'value', node: local, member: null })
    }
  }
}

/** Reads `module.exports = …` and `exports.name = …`. */
function readCommonExport(expression: Expression, exported: Bindings): void {
  if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return
  const { object, property } = expression.left
  if (property.type !== 'Identifier') return
  const isExports = object.type === 'Identifier' && object.name === 'exports'
  const isModule = object.type === 'Identifier' && object.name === 'module' && property.name === 'exports'
  if (isModule) exported.set('default', { kind: 'value', node: expression.right, member: null })
  else if (isExports) exported.set(property.name, { kind: 'value', node: expression.right, member: null })
}
