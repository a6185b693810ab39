import { Visitor, type Expression } from 'oxc-parser'
import { lineAt, parseSource } from './parse-source.ts'

/** The imports of a source file. */
export interface FileImports {
  /** Specifiers as written, of every kind: values, types, re-exports, dynamic imports, files named by `new URL(…, import.meta.url)`. */
  specifiers: Reference[]
  /** Lines that read the environment. */
  environmentLines: number[]
}

export interface Reference {
  specifier: string
  line: number
  /** Named by `new URL(…, import.meta.url)`: the entry of a worker thread, or a file that is only read. */
  isAddress: boolean
}

/** @throws {Error} When the file cannot be parsed. */
export function readImports(path: string, source: string): FileImports {
  const { module, program } = parseSource(path, source)
  const found: FileImports = { specifiers: [], environmentLines: [] }
  const add = (specifier: string, offset: number, isAddress = false) =>
    found.specifiers.push({ specifier, line: lineAt(source, offset), isAddress })
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value, moduleRequest.start)
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest) add(moduleRequest.value, moduleRequest.start)
  }
  new Visitor({
    ImportExpression: (node) => literalsOf(node.source).forEach((text) => add(text, node.start)),
    TSImportType: (node) => add(node.source.value, node.start),
    NewExpression: (node) => {
      const [target, base] = node.arguments
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL' || !base || !target) return
      if (source.slice(base.start, base.end) !== 'import.meta.url' || target.type === 'SpreadElement') return
      literalsOf(target).forEach((text) => add(text, node.start, true))
    },
    MemberExpression: (node) => {
      const property = node.computed
        ? literalsOf(node.property)[0]
        : source.slice(node.property.start, node.property.end)
      const object = source.slice(node.object.start, node.object.end)
      if (property === 'env' && /^(?:globalThis\.)?process$/.test(object))
        found.environmentLines.push(lineAt(source, node.start))
    },
    VariableDeclarator: (node) => {
      const isProcess = node.init?.type === 'Identifier' && node.init.name === 'process'
      if (isProcess && node.id.type === 'ObjectPattern') found.environmentLines.push(lineAt(source, node.start))
    },
  }).visit(program)
  return found
}

/** The strings that an expression may be, as far as they are written down: of a template only its start, whose folder counts. */
function literalsOf(node: Expression): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return [node.quasis[0]?.value.cooked ?? '']
  if (node.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)]
  return []
}
