import type { FactCollector } from './fact-collector.ts'
import { isCompoundName, nameKey } from './name-key.ts'
import { addDefaults, addOptions, joinStatement, readCommandName } from './read-option-facts.ts'
import { RouteReader } from './read-route-facts.ts'
import { readRustFacts } from './read-rust-facts.ts'
import { addPrefixedVariables } from './read-variable-facts.ts'

const pythonFile = /\.pyi?$/i
const scriptFile = /\.(?:[cm]?[jt]sx?|vue|svelte)$/i
const identifier = '[A-Za-z_$][\\w$]*'

/** Exported declarations by language; the name is the first group. */
const scriptExport = new RegExp(
  `^[ \\t]*export[ \\t]+(?:default[ \\t]+)?(?:declare[ \\t]+)?(?:abstract[ \\t]+)?(?:async[ \\t]+)?(?:function\\*?|class|const|let|var|interface|type|enum|namespace)[ \\t]+(${identifier})`,
)
/** What a module keeps to itself, and the fields of its classes. */
const scriptDeclaration = new RegExp(
  `^(?:declare[ \\t]+)?(?:async[ \\t]+)?(?:function\\*?|class|const|let|interface|type|enum)[ \\t]+(${identifier})|^[ \\t]+this\\.(${identifier})[ \\t]*=[^=]|^[ \\t]+#?(${identifier});?[ \\t]*$`,
)
/** What a module hands out by assignment: `exports.run =`, `Client.prototype.run =`, `client.run = function`. */
const scriptAssignment = new RegExp(
  `^[ \\t]*(?:module\\.)?exports\\.(${identifier})[ \\t]*=[^=]|^[ \\t]*(?:${identifier}\\.)+(?:(?<=\\.prototype\\.|^[ \\t]*[A-Z]\\w*\\.)(${identifier})[ \\t]*=[^=]|(${identifier})[ \\t]*=[ \\t]*(?:async\\b|function\\b|class\\b|\\())`,
)
const pythonDeclaration = /^([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)/
const pythonConstant = /^([A-Z_][A-Z\d_]+)[ \t]*(?::[^=]{0,80})?=[^=]/
const otherDeclaration =
  /^[ \t]*(?:@\w+[ \t]+)?(?:pub(?:\([^)]*\))?|public|open|export|def|func|fn|function|fun|class|interface|struct|enum|trait|type|const|static|final|abstract|async|unsafe|internal)(?:[ \t]+(?:pub|public|static|final|abstract|async|const|def|func|fn|fun|function|class|interface|struct|enum|trait|type|unsafe|val|var|override|readonly|\([^)]{0,80}\)))*[ \t]+(?:[\w<>[\],.?]+[ \t]+)?(?:self\.)?([A-Za-z_]\w*)/
/** Keys, members and fields; statements are distinguished below. */
const memberLine = new RegExp(
  `^[ \\t]+(?:(?:public|private|protected|static|readonly|async|get|set|declare|override|abstract|pub)[ \\t]+)*(["']?)(${identifier}(?:[-.][\\w$]+)*)\\1[ \\t]*[?!]?[ \\t]*(:|=(?!=|>)|\\(|<)`,
)
const keywords =
  /^(?:if|for|while|switch|return|catch|function|await|new|typeof|super|case|default|else|do|try|throw|yield|with|elif|except|lambda|print|import|from|class|def|const|let|var|self|this|assert|raise|del|not|and|or|in|is|go|defer|select|range)$/
const inlineKeys = /[{,][ \t]*(["']?)([A-Za-z_$][\w$]*)\1[ \t]*\??:(?!:)/g
const goDeclaration = /^(?:func(?:[ \t]*\([^)]*\))?|type|var|const)[ \t]+([A-Za-z_]\w*)/
/** Fields, methods of interfaces, and members of blocks of constants, variables and types. */
const goMember = /^\t([A-Z]\w*)(?:[ \t]+[^\s:(){]|\(|$)/
const tag = /(?:json|ya?ml|toml|hcl|koanf|mapstructure|form|env|flag|long|name):"([\w.-]+)/g
const tagDefault = /(?:default|envDefault|env-default|def):"([^"`\n]{0,60})"/
const flagLiteral = /(?<![\w-])--(?:no-)?[A-Za-z][\w-]*/g
const environmentRead =
  /(?:process\.env|import\.meta\.env|Deno\.env|ENV)(?:\.|\[\s*["'`]|\.get\(\s*["'`])([A-Z][A-Z\d_]*)|(?:os\.environ(?:\.get|\.setdefault|\.pop)?|os\.getenv|os\.Getenv|os\.LookupEnv|getenv|env::var(?:_os)?|env!|GetEnvironmentVariable|\benv)\s*[[(]\s*["'`]([A-Z][A-Z\d_]*)["'`]/g
/** Keys that code reads by name. */
const nameLiteral = /["']([a-z][a-z\d]*(?:(?:[A-Z][a-z\d]*)+|(?:_[a-z\d]+)+))["']/g
const ownImport = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(.{1,500})|\{([^{}]{1,500})\}[ \t]*from[ \t]+["']\./
/** Settings that code reads from an object of them, wherever that is described. */
const optionRead =
  /\b(?:config|configuration|options|opts|settings|props|params|args|flags|argv|packageData|manifest)((?:\?{0,1}\.[A-Za-z_]\w*){1,6})/g
/** `@Value("${acme.idle-timeout:30}")` */
const placeholder = /\$\{((?:[a-z][\w-]*\.){1,8}[\w-]+)(?::[^}\n]{0,80})?\}/g
/** Words that a value may be: `'fast-lane' | 'slow-lane'`. */
const choiceLine = /["'][ \t]*\||\|[ \t]*["']|\benum\(|\bchoices\b/
const choice = /["']([a-z][a-z\d]*(?:-[a-z\d]+)+)["']/g
/** `aliases: ['preview']` */
const aliasList = /\balias(?:es)?["']?[ \t]*[:=][ \t]*(\[[^\]\n]{0,200}\]|["'][\w-]+["'])/
const eventCall = /\b(?:emit|dispatchEvent|trigger|publish)\(\s*["'`]([a-z][\w-]*[-:.][\w:.-]+)["'`]/g
const enumStart =
  /^(?:export[ \t]+|declare[ \t]+|const[ \t]+|public[ \t]+|internal[ \t]+|indirect[ \t]+|pub(?:\([^)]*\))?[ \t]+){0,3}enum[ \t]+(?:class[ \t]+)?\w+[^{\n]{0,100}\{?(.{0,1000})/
const enumMember = /(?:^|[{,]|\bcase\b)[ \t]*([A-Za-z_]\w*)[ \t]*(?==[^>=]|,|[{}]|\(|$)/g
const upperLiteral = /["'`]([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)["'`]/g
/** Properties that code reads, other than those of the language and the platform. */
const propertyRead =
  /(?<!\b(?:process|window|document|console|Math|Object|JSON|Array|Number|String|Promise|Reflect|Symbol|Buffer|Date|URL|Intl|fs|os|path|http|https|util|crypto|stream|performance|navigator|React|sys|re|np|time))\.([a-z]\w*?(?:[A-Z_]\w*))\b/g
/** Adds what a source file defines. @param text Without comments. */
export function readCodeFacts(path: string, text: string, into: FactCollector): void {
  const lines = text.split('\n')
  // First, because pages spell a key as its file does, which differs from the name of the field.
  if (path.endsWith('.rs')) readRustFacts(lines, into)
  let command = ''
  let isOpen = !scriptFile.test(path)
  let owner = ''
  let isEnum = false
  const routes = new RouteReader(into)
  for (const [index, line] of lines.entries()) {
    const at = index + 1
    if (line.length > 2_000 || line.trim() === '') continue
    const statement = joinStatement(lines, index)
    const declared = readCommandName(lines, index)
    if (declared !== null) {
      command = declared
      into.add('command', command, at)
      into.add('member', command, at)
    }
    if (/^[A-Za-z@]/.test(line)) isOpen = isPublicBlock(path, line)
    const enumLine = pythonFile.test(path) ? null : enumStart.exec(line)
    if (/^\S/.test(line)) isEnum = enumLine !== null
    if (isEnum) addEnumMembers(enumLine?.[1] ?? line, at, into, isOpen)
    owner = nameKey(/^(?:export[ \t]+)?(?:interface|type|class|const|struct)[ \t]+(\w+)/.exec(line)?.[1] ?? owner)
    addDeclaration(path, line, at, into)
    addMembers(path, line, at, into, isOpen)
    addLiterals(line, at, into, command)
    addOptions(statement, at, into, command)
    routes.readLine(line, at)
    addOwnImports(path, line, at, into)
    addDefaults(statement, at, into, owner)
  }
  routes.finish()
  addPrefixedVariables(lines, into)
  addExportLists(text, into)
  addFunctions(path, text, into)
  addReads(lines, into)
}

/** Whether members below a declaration at the margin belong to something that users can reach. */
function isPublicBlock(path: string, line: string): boolean {
  if (scriptFile.test(path)) return /^(?:export|module\.exports|declare)\b/.test(line)
  return !/^(?:class|def|async def|struct|fn|type)[ \t]+_/.test(line)
}

function addDeclaration(path: string, line: string, at: number, into: FactCollector): void {
  if (scriptFile.test(path)) {
    const name = scriptExport.exec(line)?.[1]
    if (name !== undefined) into.add('exported', name, at)
    const own = scriptDeclaration.exec(line)?.slice(1).find(Boolean)
    if (own !== undefined) into.add('member', own, at, { isPublic: false })
    const [, exported, method, assigned = method] = scriptAssignment.exec(line) ?? []
    if (exported !== undefined && exported !== 'default') into.add('exported', exported, at)
    else if (assigned !== undefined) into.add('member', assigned, at)
    return
  }
  if (pythonFile.test(path)) {
    const [, indent = '', name] = pythonDeclaration.exec(line) ?? []
    const constant = pythonConstant.exec(line)?.[1]
    if (name !== undefined && !name.startsWith('__')) {
      into.add(indent === '' && !name.startsWith('_') ? 'exported' : 'member', name, at, {
        isPublic: !name.startsWith('_'),
      })
    }
    if (constant !== undefined) into.add('exported', constant, at)
    return
  }
  const name = path.endsWith('.proto')
    ? readProto(line, at, into)
    : (path.endsWith('.go') ? goDeclaration : otherDeclaration).exec(line)?.[1]
  const isExported = path.endsWith('.go') ? /^[A-Z]/.test(name ?? '') : !/\b(?:private|internal)\b/.test(line)
  if (name !== undefined && !keywords.test(name)) into.add(isExported ? 'exported' : 'member', name, at)
}

/** @returns The name of a message, service or call. */
function readProto(line: string, at: number, into: FactCollector): string | undefined {
  const field = /^[ \t]+(?:(?:optional|repeated|required)[ \t]+)?[\w.<>, \t]{1,80}[ \t](\w+)[ \t]*=[ \t]*\d+/.exec(
    line,
  )?.[1]
  if (field !== undefined) into.add('member', field, at)
  return /^[ \t]*(?:message|service|rpc|enum)[ \t]+(\w+)/.exec(line)?.[1]
}

function addMembers(path: string, line: string, at: number, into: FactCollector, isPublic: boolean): void {
  // First, because the name of a field differs from its tag only in its spelling, and pages have that of the tag.
  for (const [, tagged = ''] of line.matchAll(tag)) {
    into.add('member', tagged, at)
    const given = tagDefault.exec(line)?.[1]
    if (given !== undefined) into.addDefault(tagged, `"${given}"`, at)
  }
  const [, quote = '', name, sign] = memberLine.exec(line) ?? []
  if (name !== undefined && isMember(path, line, { name, sign, quote })) into.add('member', name, at, { isPublic })
  for (const [, , key = ''] of line.matchAll(inlineKeys)) into.add('member', key, at, { isPublic })
  const field = path.endsWith('.go') ? goMember.exec(line)?.[1] : undefined
  if (field !== undefined) into.add('member', field, at)
}

function addEnumMembers(list: string, at: number, into: FactCollector, isPublic: boolean): void {
  for (const [, name = ''] of list.matchAll(enumMember)) into.add('member', name, at, { isPublic })
}

/** Calls and assignments look like methods and fields. */
function isMember(
  path: string,
  line: string,
  { name, sign, quote }: { name: string; sign?: string | undefined; quote: string },
) {
  if (keywords.test(name) || (quote === '' && /[-.]/.test(name))) return false
  if (sign === ':') return true
  if (sign === '=')
    return pythonFile.test(path) || /^[ \t]+(?:public|private|protected|static|readonly|declare|override)\b/.test(line)
  return (
    /[{,(][ \t]*$|\)[ \t]*:[^;]*$|\)[^;{}]{0,200}\{[^\n]*\}[ \t]*$/.test(line) && !/^[ \t]*[\w$.]+\([^)]*$/.test(line)
  )
}

function addLiterals(line: string, at: number, into: FactCollector, command: string): void {
  for (const [flag] of line.matchAll(flagLiteral)) into.add('flag', flag, at, { owner: command })
  for (const [, name = ''] of (aliasList.exec(line)?.[1] ?? '').matchAll(/["']([a-z][\w-]+)["']/g))
    into.add('flag', `--${name}`, at, { owner: command })
  for (const [, name = ''] of line.matchAll(eventCall)) into.add('member', name, at)
  for (const match of line.matchAll(environmentRead)) into.add('variable', match[1] ?? match[2] ?? '', at)
  for (const [, name = ''] of line.matchAll(upperLiteral)) into.add('variable', name, at)
  for (const [, name = ''] of line.matchAll(nameLiteral)) into.add('member', name, at, { isPublic: false })
  for (const [, chain = ''] of line.matchAll(optionRead)) {
    for (const name of chain.split(/\??\./)) if (name !== '') into.add('member', name, at, { isPublic: false })
  }
  for (const [, name = ''] of choiceLine.test(line) ? line.matchAll(choice) : [])
    into.add('member', name, at, { isPublic: false })
  for (const [, name = ''] of /@\w+\(.*\$\{/.test(line) ? line.matchAll(placeholder) : []) {
    into.add('member', name, at)
    into.add('member', name.split('.').at(-1) ?? name, at)
  }
}

/** Options that are described nowhere in the source: `if (settings.maxBusyTries)`. */
function addReads(lines: readonly string[], into: FactCollector): void {
  const named = new Set(into.facts.map(({ key }) => key))
  for (const [index, line] of lines.entries()) {
    if (line.length > 2_000) continue
    for (const [, name = ''] of line.matchAll(propertyRead)) {
      if (isCompoundName(nameKey(name)) && !named.has(nameKey(name)))
        into.add('read', name, index + 1, { isPublic: false })
    }
  }
}

/** What a file imports from its own package, and the module, are defined there, perhaps in a way that no pattern sees. */
function addOwnImports(path: string, line: string, at: number, into: FactCollector): void {
  const [, from = '.', python, script] = ownImport.exec(line) ?? []
  const isOwn =
    from.startsWith('.') ||
    path
      .split('/')
      .slice(0, 2)
      .includes(from.split('.')[0] ?? '')
  if (!isOwn) return
  const module =
    from === '.'
      ? (/\}[ \t]*from[ \t]+["'](?:[^"']*\/)?([\w-]+)/.exec(line)?.[1] ?? '')
      : (from.split('.').at(-1) ?? '')
  const names = (python ?? script ?? '').matchAll(/[A-Za-z_]\w+/g)
  for (const name of [module, ...[...names].map(([imported]) => imported)]) {
    if (name !== '') into.add('member', name, at, { isPublic: false })
  }
}

const commonExports = /\bmodule\.exports[ \t]*=[ \t]*\{([^{}]{0,4000})/g
const exportList = /\bexport[ \t]*(?:type[ \t]*)?\{([^}]{0,4000})\}/g
const pythonList = /^__all__[ \t]*\+?=[ \t]*[[(]([^\])]{0,8000})/gm

function addExportLists(text: string, into: FactCollector): void {
  const lineOf = createLineCounter(text)
  for (const match of text.matchAll(exportList)) {
    const line = lineOf(match.index)
    for (const part of (match[1] ?? '').split(',')) {
      const name = /(?:\bas\s+)?([\w$]+)\s*$/.exec(part.slice(-200))?.[1]
      if (name !== undefined) into.add('exported', name, line)
    }
  }
  const lineOfObject = createLineCounter(text)
  for (const match of text.matchAll(commonExports)) {
    const line = lineOfObject(match.index)
    for (const part of (match[1] ?? '').split(',')) {
      const name = /^\s*(["']?)([A-Za-z_$][\w$]*)\1\s*(?::|$)/.exec(part.slice(0, 200))?.[2]
      if (name !== undefined) into.add('exported', name, line)
    }
  }
  const lineOfList = createLineCounter(text)
  for (const match of text.matchAll(pythonList)) {
    const line = lineOfList(match.index)
    for (const [, name = ''] of (match[1] ?? '').matchAll(/["'](\w+)["']/g)) into.add('exported', name, line)
  }
}

const functionStart =
  /(?:^|\n)[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?(?:def|function\*?|func|fn)[ \t]+([A-Za-z_]\w*)[ \t]*(?:<[^>\n]{0,200}>)?\(|(?:^|\n)[ \t]*export[ \t]+const[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?\(/g
const signatureCharsMax = 4_000

/** Adds the parameters of each function, with their defaults. `*` represents those that no signature names. */
function addFunctions(path: string, text: string, into: FactCollector): void {
  const lineOf = createLineCounter(text)
  for (const match of text.matchAll(functionStart)) {
    const name = match[1] ?? match[2] ?? ''
    const start = match.index + match[0].length
    const list = readBalanced(text.slice(start, start + signatureCharsMax))
    if (list === null) continue
    const line = lineOf(start)
    const owner = nameKey(name === '__init__' ? findClass(text, match.index) : name)
    for (const parameter of listNamedParameters(path, list)) {
      const written = /^\s*(?:["']?)(\*{0,2}|\.{3})([A-Za-z_]\w*)/.exec(parameter)
      if (written === null || /^(?:self|cls|this)$/.test(written[2] ?? '')) continue
      const isRest = written[1] !== ''
      into.add('parameter', isRest ? '**' : (written[2] ?? ''), line, { owner, ...(isRest && { key: '*' }) })
    }
    if (pythonFile.test(path)) addPythonDefaults(list, line, into)
  }
}

/** Callers name parameters of Python, and properties of an object that a function takes apart; others go by position. */
function listNamedParameters(path: string, list: string): string[] {
  if (pythonFile.test(path)) return list.split(/[,\n]/)
  const taken = scriptFile.test(path) ? /^\s*\{([^{}]*)\}/.exec(list)?.[1] : undefined
  return taken?.split(/[,\n]/) ?? []
}

function addPythonDefaults(list: string, line: number, into: FactCollector): void {
  for (const [, name = '', value = ''] of list.matchAll(/(\w+)[ \t]*(?::[^=,\n]{0,80})?=[ \t]*([^,\n]{1,80})/g)) {
    // Callers name it.
    if (!name.startsWith('_')) into.add('member', name, line, { isPublic: false })
    into.addDefault(name, value, line)
  }
}

/** The text up to the bracket that closes the one before it; null if there is none near. */
function readBalanced(text: string): string | null {
  let depth = 1
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (char === '(' || char === '[') depth++
    else if ((char === ')' || char === ']') && --depth === 0) return text.slice(0, index)
  }
  return null
}

function findClass(text: string, before: number): string {
  const above = text.slice(Math.max(0, before - 20_000), before)
  const at = above.lastIndexOf('\nclass ')
  return /^\nclass (\w+)/.exec(above.slice(Math.max(0, at)))?.[1] ?? '__init__'
}

/** @returns The line of an offset, from 1. Offsets must ascend, so that the text is read once. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}
