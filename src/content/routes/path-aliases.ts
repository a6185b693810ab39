import { parse } from 'jsonc-parser'
import type { PageDialect } from '../flatten/page-dialect.ts'
import { isRawImport } from '../flatten/imported-file.ts'
import { isRecord } from '../site-config/parse-tolerantly.ts'
import { readText, type SourceFiles } from '../trees/read-text.ts'
import { resolveSourcePath } from '../trees/source-path.ts'
import { findFileBelow } from './site-roots.ts'

/** Names that imports use in place of relative paths. */
export interface PathAliases {
  /** Identifies the aliases: equal keys resolve equally. */
  key: string
  /** The files that an import may refer to, most specific first; empty if no alias matches. */
  resolve: (reference: string) => string[]
}

/** Where a reference may lead. In both texts, `*` stands for the same rest. */
interface Alias {
  name: string
  target: string
}

const configName = /^[tj]sconfig\.json$/
const moduleEndings = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '.json', '/index.ts', '/index.js']
const parentsMax = 5
const aliasesMax = 200

/**
 * Reads `paths` and `baseUrl` of `tsconfig.json` or `jsconfig.json` in a folder, and of the configurations that it
 * extends inside the tree.
 */
export async function readPathAliases(files: SourceFiles, root: string): Promise<PathAliases> {
  const file = findFileBelow(files.paths, root, configName)
  const aliases = file === undefined ? [] : await readAliases(files, file, 0)
  // The longest literal start wins, as in TypeScript.
  const sorted = aliases.toSorted((a, b) => b.name.replace(/\*.*/, '').length - a.name.replace(/\*.*/, '').length)
  return { key: JSON.stringify(sorted), resolve: (reference) => sorted.flatMap((alias) => follow(alias, reference)) }
}

function follow({ name, target }: Alias, reference: string): string[] {
  const [start = '', end] = name.split('*')
  if (end === undefined) return reference === name ? toFiles(target) : []
  const isMatch =
    reference.length >= start.length + end.length && reference.startsWith(start) && reference.endsWith(end)
  return isMatch ? toFiles(target.replace('*', () => reference.slice(start.length, reference.length - end.length))) : []
}

function toFiles(path: string): string[] {
  const file = resolveSourcePath('', path)
  return file === null ? [] : [file]
}

/** Own `paths` replace those of the extended configurations. */
async function readAliases(files: SourceFiles, file: string, depth: number): Promise<Alias[]> {
  const text = await readText(files, file)
  const config: unknown = text === null ? null : parse(text, [], { allowTrailingComma: true })
  if (!isRecord(config)) return []
  const options = isRecord(config['compilerOptions']) ? config['compilerOptions'] : {}
  const { paths, baseUrl } = options
  const base = typeof baseUrl === 'string' ? baseUrl : '.'
  if (isRecord(paths)) return listAliases(file, base, paths)
  const ofBase = typeof baseUrl === 'string' ? listAliases(file, base, { '*': ['*'] }) : []
  if (depth >= parentsMax) return ofBase
  const parents = [config['extends']].flat().filter((parent) => typeof parent === 'string')
  const inherited = await Promise.all(
    parents.flatMap((parent) => findParent(files, file, parent)).map((parent) => readAliases(files, parent, depth + 1)),
  )
  return [...ofBase, ...inherited.flat()]
}

function findParent({ paths }: SourceFiles, file: string, parent: string): string[] {
  const found = parent.startsWith('.') ? resolveSourcePath(file, parent) : null
  if (found === null) return []
  return [found, `${found}.json`, `${found}/tsconfig.json`].filter((name) => paths.has(name)).slice(0, 1)
}

function listAliases(file: string, base: string, paths: Readonly<Record<string, unknown>>): Alias[] {
  return Object.entries(paths)
    .slice(0, aliasesMax)
    .flatMap(([name, targets]) => {
      const listed = Array.isArray(targets) ? targets.filter((target) => typeof target === 'string') : []
      return listed.flatMap((target) => {
        const path = resolveSourcePath(file, `${base}/${target}`)
        return path === null ? [] : [{ name, target: path }]
      })
    })
}

/** The file of an import, which may lack the extension of a module. */
function findModule(paths: ReadonlySet<string>, file: string): string | undefined {
  return moduleEndings.map((ending) => `${file}${ending}`).find((name) => paths.has(name))
}

/**
 * How pages import others and code as text: by relative paths and aliases. Other imports are code.
 *
 * @param paths The files of the tree.
 */
export function importsByPath(
  paths: ReadonlySet<string>,
  aliases: PathAliases,
): Pick<PageDialect, 'resolveImport' | 'isContentImport'> {
  return {
    resolveImport: (fromFile, reference) => {
      if (reference.startsWith('.')) {
        const file = resolveSourcePath(fromFile, reference)
        return file === null ? null : (findModule(paths, file) ?? file)
      }
      return aliases.resolve(reference).flatMap((file) => findModule(paths, file) ?? [])[0] ?? null
    },
    isContentImport: (reference) => /\.mdx?$/.test(reference) || isRawImport(reference),
  }
}
