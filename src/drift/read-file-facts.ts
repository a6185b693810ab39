import { parseDocument } from 'yaml'
import { isTameYaml } from '../base/is-tame-yaml.ts'
import { toYamlValue } from '../base/yaml-value.ts'
import { type FileFacts, nameCharsMax } from './fact.ts'
import { FactCollector } from './fact-collector.ts'
import type { FileKind } from './file-kind.ts'
import { isTypeName, nameKey, typeKey } from './name-key.ts'
import { isManifest, readManifestFacts } from './read-manifest-facts.ts'
import { readCodeFacts } from './read-code-facts.ts'
import { readOpenApiFacts } from './read-openapi-facts.ts'

/** Longer files are generated; their beginning is read. */
export const fileCharsMax = 1_000_000
const dataFile = /\.(?:json|ya?ml|toml)$/i
const moduleOfFile = /\b(?:from|require\(|import\(|import)[ \t]*["']\.{1,2}\/[^"'\n]{0,300}["']/g
const identifier = /[A-Za-z_$][\w$]*(?:-[A-Za-z_]\w*)*/g

/** What a file defines and mentions. Pure; linear in the text. */
export function readFileFacts(path: string, kind: FileKind, source: string): FileFacts {
  const text = stripComments(path, source.slice(0, fileCharsMax))
  const words = new Set<string>()
  for (const [word] of withoutModules(path, text).matchAll(identifier)) {
    if (word.length < 2 || word.length > nameCharsMax) continue
    words.add(nameKey(word))
    if (isTypeName(word)) words.add(typeKey(word))
  }
  const into = new FactCollector()
  if (kind === 'product') {
    if (isManifest(path)) readManifestFacts(path, text, into)
    else if (dataFile.test(path)) readDataFacts(path, text, into)
    else readCodeFacts(path, text, into)
  }
  return { words, facts: into.facts }
}

/** A file may keep the name of what it no longer has: `import { run } from './retry-handler'`. */
function withoutModules(path: string, text: string): string {
  return /\.[cm]?[jt]sx?$/i.test(path) ? text.replaceAll(moduleOfFile, ' ') : text
}

function readDataFacts(path: string, text: string, into: FactCollector): void {
  if (/(?:^|\/)(?:values|action)\.ya?ml$/.test(path)) return readYamlSettings(text, into)
  const data = parseData(path, text)
  if (data === null) return
  if ('openapi' in data || 'swagger' in data) {
    readOpenApiFacts(data, into)
    placeFacts(text, into)
  } else readSchema(data, text, into)
}

function parseData(path: string, text: string): object | null {
  try {
    const data: unknown = /\.ya?ml$/i.test(path) ? parseYaml(text) : JSON.parse(text)
    return typeof data === 'object' ? data : null
  } catch {
    return null
  }
}

function parseYaml(text: string): unknown {
  if (!isTameYaml(text)) return null
  const document = parseDocument(text, { logLevel: 'error', prettyErrors: false, uniqueKeys: false })
  return document.errors.length > 0 ? null : toYamlValue(document, 100)
}

/** Gives facts of parsed data the first line that has their name as a key or as the value of `name`. */
function placeFacts(text: string, into: FactCollector): void {
  const lines = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    const [, key = '', value] =
      /^[\s{,-]*["']?([^"':\s]+)["']?[ \t]*:(?:[ \t]*["']?([\w.-]+)["']?)?/.exec(line.slice(0, 300)) ?? []
    const name = key === 'name' && value !== undefined ? value : key
    if (!lines.has(name)) lines.set(name, index + 1)
  }
  for (const fact of into.facts) fact.line = lines.get(fact.name.replace(/^[A-Z]+ /, '')) ?? fact.line
}

/** Keys of a chart's values with their defaults, and inputs of an action with theirs. */
function readYamlSettings(text: string, into: FactCollector): void {
  let key = ''
  for (const [index, line] of text.split('\n').entries()) {
    const [, name = '', written = ''] = /^[ \t]*([A-Za-z][\w-]*):(.*)/.exec(line) ?? []
    const value = written.trim()
    if (name === 'default') into.addDefault(key, value, index + 1)
    else if (name !== '') {
      into.add('member', name, index + 1)
      into.addDefault(name, value, index + 1)
      if (value === '') key = name
    }
  }
}

const schemaDepthMax = 20
/** Definitions may refer to each other in circles. */
const schemaVisitsMax = 10_000

/** Properties of a JSON Schema with their defaults: `overlay` within `client` also as `client.overlay`. */
function readSchema(data: object, text: string, into: FactCollector): void {
  const lines = new Map<string, number>()
  for (const [index, line] of text.split('\n').entries()) {
    for (const [, name = ''] of line.slice(0, 2_000).matchAll(/"([\w.-]+)"[ \t]*:/g))
      if (!lines.has(name)) lines.set(name, index + 1)
  }
  let visits = 0
  const walk = (schema: unknown, path: readonly string[], depth: number): void => {
    if (typeof schema !== 'object' || schema === null || depth > schemaDepthMax || visits++ > schemaVisitsMax) return
    const target = '$ref' in schema && typeof schema.$ref === 'string' ? findDefinition(data, schema.$ref) : null
    // What is referred to at the root is read there.
    if (path.length > 0) walk(target, path, depth + 1)
    for (const [name, part] of Object.entries(schema)) {
      if (name === 'properties' || name === 'definitions' || name === '$defs') {
        for (const [own, below] of listEntries(part)) {
          const line = lines.get(own) ?? 1
          const whole = name === 'properties' ? [...path, own] : []
          into.add('member', own, line)
          if (whole.length > 1) into.add('member', whole.join('.'), line)
          const value = typeof below === 'object' && below !== null && 'default' in below ? below.default : null
          if (value !== null && typeof value !== 'object') into.addDefault(own, JSON.stringify(value), line)
          walk(below, whole, depth + 1)
        }
      } else if (/^(?:items|anyOf|oneOf|allOf|\d+)$/.test(name)) walk(part, path, depth + 1)
    }
  }
  walk(data, [], 0)
}

/** The part that `#/definitions/Client` refers to; null for other references. */
function findDefinition(data: object, reference: string): unknown {
  const [, group = '', name = ''] = /^#\/(definitions|\$defs)\/([\w.-]+)$/.exec(reference) ?? []
  const [, definitions] = listEntries(data).find(([key]) => key === group) ?? []
  return listEntries(definitions).find(([key]) => key === name)?.[1] ?? null
}

function listEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

const hashLanguages = /\.(?:pyi?|rb|sh|bash|ya?ml|toml|exs?|cfg|ini|env)$|(?:^|\/)(?:Makefile|Dockerfile)/i
const slashLanguages =
  /\.(?:[cm]?[jt]sx?|go|rs|java|kts?|scala|php|cs|swift|vue|svelte|c|h|cc|cpp|hpp|dart|proto|jsonc|gradle|scss|less|css)$/i

/**
 * A string, or a comment; whichever begins first counts. Each alternative ends at its first closing mark. An escaped quote
 * begins none, or a line of them would be searched to its end from each.
 */
const slashTokens = /\\.|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|\/\/[^\n]*/g
const hashTokens = /\\.|"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g

/**
 * Blanks comments and docstrings, so that only code defines a name or keeps it alive. Lines keep their numbers. Linear:
 * an unclosed mark is left as it is, once.
 */
function stripComments(path: string, text: string): string {
  // In data, what closes docstrings would be an error of syntax.
  const docstrings = /\.pyi?$/i.test(path) ? ['"""', "'''"] : []
  if (hashLanguages.test(path)) return close(text, docstrings).replace(hashTokens, blankHash)
  if (!slashLanguages.test(path)) return text
  return close(text, ['/*', '`']).replace(slashTokens, (token) => (/^\/[/*]/.test(token) ? blank(token) : token))
}

/** Closes marks of several lines at the end, without which each unclosed one would be searched for to the end. */
function close(text: string, marks: readonly string[]): string {
  return [text, ...marks.map((mark) => (mark === '/*' ? '/**/' : mark))].join('\n')
}

function blankHash(token: string): string {
  return token.startsWith('#') || token.startsWith('"""') || token.startsWith("'''") ? blank(token) : token
}

function blank(token: string): string {
  return token.replaceAll(/[^\n]+/g, ' ')
}
