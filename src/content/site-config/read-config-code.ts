import type { AnyNode, Expression, SpreadElement } from 'acorn'
import { evaluateConfig } from './evaluate-config.ts'
import { type ConfigModule, parseConfigModule } from './config-module.ts'
import type { ConfigValue } from './config-value.ts'
import { parseJson } from './parse-json.ts'
import { readText, type SourceFiles } from '../trees/read-text.ts'
import { resolveSourcePath } from '../trees/source-path.ts'

/** The modules of a configuration: the file and its imports from the site's own files. */
export interface ConfigModules {
  modules: ReadonlyMap<string, ConfigModule>
  /** Imported JSON files, parsed. */
  documents: ReadonlyMap<string, unknown>
  /** Resolves an import to one of these files, or null. */
  resolve: (fromFile: string, reference: string) => string | null
}

/** A configuration file that is code. */
export interface ConfigCode {
  file: string
  /** The value of an export, where functions are called without arguments; undefined if there is no such export. */
  exported: (name: string) => ConfigValue
  /** The arguments of each call of a function, in file order. */
  callsOf: (callee: string) => ConfigValue[][]
}

const modulesMax = 200
const moduleBytesMax = 512 * 1024
const extensions = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.cts', '.tsx', '.jsx', '.json', '/index.ts', '/index.js']

/**
 * Reads a configuration file that is code, with its imports from the site's files. Folds literals, constants, spreads
 * and functions that only return these; runs nothing and assumes an empty environment. Anything else becomes a
 * `ComputedValue`.
 *
 * @returns Null, with a finding, if the file cannot be read or parsed.
 */
export async function readConfigCode(library: SourceFiles, file: string): Promise<ConfigCode | null> {
  const found = await readConfigModules(library, file, readText)
  const main = found.modules.get(file)
  if (main === undefined) return null
  const evaluation = evaluateConfig(found)
  return {
    file,
    exported: (name) => evaluation.exported(file, name),
    callsOf: (callee) => findCalls(main.program, callee).map((inputs) => evaluation.inputs(main, inputs)),
  }
}

/** Parses a configuration file and what it imports from the site's files. @param read Reads a file, or returns null. */
export async function readConfigModules(
  library: SourceFiles,
  file: string,
  read: typeof readText,
): Promise<ConfigModules> {
  const modules = new Map<string, ConfigModule>()
  const documents = new Map<string, unknown>()
  const resolve = (from: string, reference: string) => resolveModule(library.paths, from, reference)
  const waiting = [file]
  for (let next = waiting.pop(); next !== undefined && modules.size < modulesMax; next = waiting.pop()) {
    if (modules.has(next) || documents.has(next)) continue
    const text = await read(library, next, moduleBytesMax)
    if (text === null) continue
    if (next.endsWith('.json')) {
      documents.set(next, parseJson(text, next, library.findings))
      continue
    }
    const module = parse(library, next, text)
    if (module === null) continue
    modules.set(next, module)
    for (const reference of referencesOf(module.program)) {
      const target = resolve(next, reference)
      if (target !== null) waiting.push(target)
    }
  }
  return { modules, documents, resolve }
}

function parse(library: Pick<SourceFiles, 'findings'>, file: string, text: string): ConfigModule | null {
  try {
    return parseConfigModule(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const line = Number(/\((\d+):\d+\)$/.exec(reason)?.[1] ?? 0) || null
    const message = `The configuration cannot be parsed and is ignored: ${reason}.`
    library.findings.add({ file, line, rule: 'config-unparsable', message })
    return null
  }
}

/** Resolves to the site's files only: bare names are packages. `.js` may refer to `.ts`, as in TypeScript. */
function resolveModule(paths: ReadonlySet<string>, from: string, reference: string): string | null {
  if (!/^\.{1,2}\//.test(reference)) return null
  const path = resolveSourcePath(from, reference)
  if (path === null) return null
  const stems = [path, path.replace(/\.([mc]?)js$/, '.$1ts')]
  for (const stem of stems) {
    for (const extension of extensions) {
      const file = `${stem}${extension}`
      if (paths.has(file) && /\.(?:[mc]?[jt]s|[jt]sx|json)$/.test(file)) return file
    }
  }
  return null
}

function referencesOf(program: AnyNode): string[] {
  const references: string[] = []
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration') references.push(String(node.source.value))
    if ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.source)
      references.push(String(node.source.value))
    const [input] = node.type === 'CallExpression' && isNamed(node.callee, 'require') ? node.arguments : []
    if (input?.type === 'Literal') references.push(String(input.value))
  })
  return references
}

function findCalls(program: AnyNode, callee: string): (Expression | SpreadElement)[][] {
  const calls: (Expression | SpreadElement)[][] = []
  walk(program, (node) => {
    if (node.type === 'CallExpression' && isNamed(node.callee, callee)) calls.push(node.arguments)
  })
  return calls
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

function walk(root: AnyNode, visit: (node: AnyNode) => void): void {
  const queue: unknown[] = [root]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      queue.push(...next.toReversed())
      continue
    }
    // Every object with a type below a node is a node.
    if ('type' in next && typeof next.type === 'string') visit(next as AnyNode)
    for (const [key, value] of Object.entries(next).toReversed()) if (key !== 'loc') queue.push(value)
  }
}
