import type { FactCollector } from './fact-collector.ts'

const identifier = '[A-Za-z_$][\\w$]*'
/** Where a command is declared, by the libraries of several languages. */
const commandLine =
  /\.command\(\s*["'`]([\w:-]+)|add_parser\(\s*["']([\w-]+)|\bUse:[ \t]*"([\w-]+)|\bName:[ \t]*"([\w-]+)"|\.command\(\s*(?:name[ \t]*=[ \t]*)?["']([\w-]+)|\bnew Command\(\s*["']([\w-]+)|\bCommand::new\(\s*"([\w-]+)|^export const command = ["']([\w-]+)|^[ \t]*desc[ \t]+["']([\w-]+)|@Command\([^)\n]{0,80}?\bname[ \t]*=[ \t]*"([\w-]+)/
/** `@app.command()` above the function that the command is named after. */
const bareCommand = /^[ \t]*@[\w.]+\.command\(\s*\)/
const pythonFunction = /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/

/** The command that a line declares; null if it declares none. */
export function readCommandName(lines: readonly string[], index: number): string | null {
  const line = lines[index] ?? ''
  if (!/command|add_parser|Use:|Name:|\bdesc\b/i.test(line)) return null
  const named = commandLine.exec(line)?.slice(1).find(Boolean)
  if (named !== undefined) return named
  if (!bareCommand.test(line)) return null
  const below = lines.slice(index + 1, index + 12).find((next) => pythonFunction.test(next))
  return pythonFunction.exec(below ?? '')?.[1]?.replaceAll('_', '-') ?? null
}

const statementLinesMax = 12
const statementCharsMax = 1_000

/** A line with those below it that its open bracket goes on to, which is how formatters write long calls. Bounded. */
export function joinStatement(lines: readonly string[], index: number): string {
  let text = (lines[index] ?? '').trimEnd()
  if (!/[({,]$/.test(text) || !text.includes('(')) return text
  let depth = countOpen(text)
  for (
    let next = index + 1;
    depth > 0 && next <= index + statementLinesMax && text.length < statementCharsMax;
    next++
  ) {
    const line = (lines[next] ?? '').trim()
    depth += countOpen(line)
    text += `${/[({]$/.test(text) ? '' : ' '}${line}`
  }
  return text
}

function countOpen(line: string): number {
  return (line.match(/\(/g)?.length ?? 0) - (line.match(/\)/g)?.length ?? 0)
}

/** `yargs.option('max-depth', { … })` */
const optionCall = /\.options?\(\s*["']([a-z][\w-]*)["']\s*,\s*\{/g
/** Thor, oclif and `parseArgs` of Node; in scripts of the shell, a case. */
const symbolOption = /\b(?:method_)?option[ \t]+:(\w+)/g
const optionObject =
  /^[ \t]*["']?([a-z][\w-]*)["']?:[ \t]*(?:Flags\.\w+\(|\{[ \t]*type:[ \t]*["'](?:string|boolean)["'])/
const shellCase = /^[ \t]*(?:-\w\|)?(--[a-z][\w-]+)(?:=\*)?(?:\|[^)\n]{0,60})?\)/
const shellVariable = /\$\{([A-Z][A-Z\d_]*):?[-=?]([^}"\n]{0,60})/g
const goFlag =
  /\b(?:Bool|Int|Int64|Uint|String|StringSlice|StringArray|Float64|Duration)(Var)?(P)?\(((?:[^()"]|"[^"]*"){1,300})\)?/g

/** Adds the flags that a statement describes, with the defaults of those that are given by position. */
export function addOptions(statement: string, at: number, into: FactCollector, command: string): void {
  for (const [, name = ''] of statement.matchAll(optionCall)) into.add('flag', `--${name}`, at, { owner: command })
  for (const [, name = ''] of statement.matchAll(symbolOption))
    into.add('flag', `--${name.replaceAll('_', '-')}`, at, { owner: command })
  const described = optionObject.exec(statement)?.[1]
  if (described !== undefined) into.add('flag', `--${described}`, at, { owner: command })
  const shellFlag = shellCase.exec(statement)?.[1]
  if (shellFlag !== undefined) into.add('flag', shellFlag, at, { owner: command })
  for (const [, name = '', value = ''] of statement.matchAll(shellVariable)) {
    into.add('variable', name, at)
    if (value !== '') into.addDefault(name, `"${value}"`, at)
  }
  for (const [, isVariable, hasShort, list = ''] of statement.matchAll(goFlag)) {
    const parts = list.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((part) => part.trim())
    const [name = '', ...rest] = parts.slice(isVariable === undefined ? 0 : 1)
    const flag = /^"([\w-]+)"$/.exec(name)?.[1]
    if (flag === undefined) continue
    into.add('flag', `--${flag}`, at, { owner: command })
    into.addDefault(flag, rest[hasShort === undefined ? 0 : 1] ?? '', at)
  }
}

const literal = `"[^"\\n]{0,80}"|'[^'\\n]{0,80}'|-?\\d[\\d_]*(?:\\.\\d+)?(?:[ \\t]*\\*[ \\t]*[\\d_]+){0,4}|true|false|True|False|None|null|undefined`
const defaultPatterns: readonly RegExp[] = [
  new RegExp(
    `(?:^|[({,][ \\t]*|[ \\t])(${identifier})[ \\t]*\\??(?::[^=,(){}"'\\n]{0,60})?=[ \\t]*(${literal})(?=[ \\t]*(?:[,;)}]|$))`,
    'g',
  ),
  new RegExp(
    `(?:\\.|\\b)(${identifier})\\)?[ \\t]*(?:\\?\\?|\\|\\|)=?[ \\t]*(${literal})(?=[ \\t]*(?:[,;)}\\]]|$))`,
    'g',
  ),
  new RegExp(`\\bDEFAULT_([A-Z\\d_]+)[ \\t]*(?::[^=\\n]{0,40})?=[ \\t]*(${literal})`, 'g'),
  new RegExp(`(?:^|[{,])[ \\t]*["']?(${identifier})["']?[ \\t]*:[^:\\n]{0,200}?\\.default\\([ \\t]*(${literal})`, 'g'),
  new RegExp(
    `(?:^|[({,])[ \\t]*(\\w+)[ \\t]*(?::[^=\\n]{0,60})?=[ \\t]*\\w*Field\\((?:[ \\t]*|[^)\\n]{0,100}?\\bdefault[ \\t]*=[ \\t]*)(${literal})`,
    'g',
  ),
  new RegExp(
    `["'](?:-\\w[ ,/|"']{1,5})?--(?:no-)?([\\w-]+)[^"'\\n]{0,40}["'][^\\n]{0,200}?\\bdefault(?:Value)?[ \\t]*[=:][ \\t]*(${literal})`,
    'g',
  ),
  new RegExp(
    `\\.option\\([ \\t]*["'](?:-\\w,?[ ]?)?--([\\w-]+)[^"'\\n]{0,40}["'],[ \\t]*(?:"[^"\\n]{0,200}"|'[^'\\n]{0,200}'),[ \\t]*(?:(?:[\\w.]+|\\([^()\\n]{0,60}\\)[ \\t]*=>[^,\\n]{1,60}),[ \\t]*)?(${literal})`,
    'g',
  ),
  // Commander, picocli, and objects that describe an option: of oclif, yargs, `parseArgs` and JSON Schema in code.
  new RegExp(
    `["'](?:-\\w[ ,]{1,3})?--([\\w-]+)[^"'\\n]{0,40}["'][^\\n]{0,200}?\\)\\.default\\([ \\t]*(${literal})`,
    'g',
  ),
  new RegExp(
    `(?<![\\w$-])(${identifier}(?:-\\w+)*)["']?[ \\t]*[:,][ \\t]*(?:[\\w.]+\\()?\\{[^{}\\n]{0,300}?\\bdefault:[ \\t]*(${literal})`,
    'g',
  ),
  // Thor.
  new RegExp(`\\b(?:method_)?option[ \\t]+:(\\w+),[^\\n]{0,200}?\\bdefault:[ \\t]*(${literal})`, 'g'),
  // Variables with what is assumed without them.
  new RegExp(
    `\\b\\w*env\\w*(?:\\.\\w+)?\\([ \\t]*["']([A-Z][A-Z\\d_]*)["'],[ \\t]*(?:default[ \\t]*=[ \\t]*)?(${literal})`,
    'gi',
  ),
  new RegExp(
    `\\bvar\\("([A-Z][A-Z\\d_]*)"\\)[^\\n]{0,60}?\\.unwrap_or(?:_else)?\\((?:\\|\\w*\\|[ \\t]*)?(?:String::from\\()?(${literal})`,
    'g',
  ),
  // C# and Spring.
  new RegExp(`\\b(\\w+)[ \\t]*\\{[ \\t]*get;[^}\\n]{0,40}\\}[ \\t]*=[ \\t]*(${literal})`, 'g'),
  /\$\{(?:[\w-]+\.){1,8}([\w-]+):([^}"\n]{1,60})\}/g,
  new RegExp(`SetDefault\\([ \\t]*"(?:[\\w.-]*\\.)?([\\w-]+)",[ \\t]*(${literal})`, 'g'),
]
const objectValue = new RegExp(`^[ \\t]+["']?(${identifier})["']?[ \\t]*:[ \\t]*(${literal})[ \\t]*,?[ \\t]*$`)

/** `def connect(host, retry_count: 3)` */
const keywordDefault = new RegExp(`[(,][ \\t]*(\\w+):[ \\t]*(${literal})(?=[ \\t]*[,)])`, 'g')
const inlineValue = new RegExp(`[{,][ \\t]*["']?(${identifier})["']?[ \\t]*:[ \\t]*(${literal})(?=[ \\t]*[,}])`, 'g')

/** @param owner Key of the object that the line belongs to. */
export function addDefaults(line: string, at: number, into: FactCollector, owner: string): void {
  if (!/[=:?|]|\bSetDefault\(|\.(?:option|default)\(|env/i.test(line)) return
  for (const pattern of defaultPatterns) {
    for (const [, name = '', value = ''] of line.matchAll(pattern)) into.addDefault(name, value, at)
  }
  if (/\bdef[ \t]/.test(line)) {
    for (const [, name = '', value = ''] of line.matchAll(keywordDefault)) into.addDefault(name, value, at)
  }
  if (!owner.includes('default')) return
  const [, name, value] = objectValue.exec(line) ?? []
  if (name !== undefined && value !== undefined) into.addDefault(name, value, at)
  for (const [, key = '', written = ''] of line.matchAll(inlineValue)) into.addDefault(key, written, at)
}
