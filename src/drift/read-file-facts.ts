import { parseDocument } from 'yaml'
import { toYamlValue } from '../base/yaml-value.ts'
import { type FileFacts, nameCharsMax } from './fact.ts'
import { FactCollector } from './fact-collector.ts'
import type { FileKind } from './file-kind.ts'
import { isTypeName, nameKey, typeKey } from './name-key.ts'
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
    if (dataFile.test(path)) readDataFacts(path, text, into)
    else readCodeFacts(path, text, into)
  }
  return { words, facts: into.facts }
}

/** A file may keep the name of what it no longer has: `import { run } from './retry-handler'`. */
function withoutModules(path: string, text: string): string {
  return /\.[cm]?[jt]sx?$/i.test(path) ? text.replaceAll(moduleOfFile, ' ') : text
}

function readDataFacts(path: string, text: string, into: FactCollector): void {
  if (path.endsWith('pyproject.toml')) {
    const name = /^\[(?:project|tool\.poetry)\][^[]*?^name[ \t]*=[ \t]*"([\w.-]+)"/m.exec(text.slice(0, 20_000))?.[1]
    if (name !== undefined) into.add('package', name, 1, { key: name.toLowerCase() })
    return
  }
  if (/(?:^|\/)(?:values|action)\.ya?ml$/.test(path)) return readYamlSettings(text, into)
  const data = parseData(path, text)
  if (data === null) return
  if (/(?:^|\/)package\.json$/.test(path)) readManifest(data, into)
  else if ('openapi' in data || 'swagger' in data) {
    readOpenApiFacts(data, into)
    placeFacts(text, into)
  } else readSchema(text, into)
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
  const document = parseDocument(text, { logLevel: 'error', prettyErrors: false })
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

/** A private package has no users, but its commands may. */
function readManifest(data: object, into: FactCollector): void {
  const { name, bin } = data as { name?: unknown; bin?: unknown } // Checked below.
  if (typeof name === 'string') into.add('package', name, 1, { key: name.toLowerCase() })
  if (typeof bin !== 'object' || bin === null) return
  for (const command of Object.keys(bin)) into.add('exported', command, 1)
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

/** Properties of a JSON Schema with their defaults, by the line that names them. */
function readSchema(text: string, into: FactCollector): void {
  let key = ''
  for (const [index, line] of text.split('\n').entries()) {
    const [, name = '', value = ''] = /^[ \t]*"([\w.-]+)"[ \t]*:[ \t]*(.{0,200})/.exec(line) ?? []
    if (name === 'default') into.addDefault(key, value, index + 1)
    else if (name !== '' && value.startsWith('{')) {
      key = name
      into.add('member', name, index + 1)
    }
  }
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
