import { endpointKey, nameCharsMax } from './fact.ts'
import type { Mention, MentionForm, MentionPlace } from './mention.ts'
import { isCompoundName, nameKey } from './name-key.ts'
import { type PageLine, readPageLines } from './page-lines.ts'
import { readClaims } from './read-claims.ts'
import { type FenceNames, readFenceNames } from './fence-names.ts'
import { listCommands, listFeatures, readCommandLine } from './read-command-mentions.ts'

const mentionsMax = 5_000
const shell = /^(?:sh|shell|bash|zsh|console|terminal|powershell|cmd|fish|npm|pnpm|yarn|bun|shellsession)$/
const data = /^(?:json[c5]?|ya?ml|toml)$/
const dataKey = /^[ \t>-]*["']?([A-Za-z_$][\w$-]*)["']?[ \t]*[:=]/
const quotedKey = /["']([A-Za-z_$][\w$-]*)["'][ \t]*:/g
const codeSpan = /(`+)([^`]{1,300})\1/g
const linkedElsewhere = /\[[^\]\n]{1,200}\]\(https?:\/\/[^)\s]{1,300}\)/g
const identifier = /(?<![\w$@/-]|(?<!\.\.|\))\.)[A-Za-z_$][\w$]*(?:[.][A-Za-z_$][\w$]*)*/g
const flag = /(?<![\w-])--[A-Za-z][\w-]*(?![\w*-])/g
const upper = /(?<![\w./-])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?!\w)/g
const filePath =
  /(?<![\w:/.@-])(?:\.{0,2}\/)?(?:(?:\([\w.-]+\)|\[{1,2}[\w.-]+\]{1,2}|[\w@-][\w.@()[\]-]*)\/)+[\w.@-]+\.[A-Za-z][A-Za-z\d]{0,4}(?![\w/])/g
const urlPath =
  /(?<![\w.:/-])(?:(GET|PUT|POST|DELETE|PATCH)[ \t]+)?(?:https?:\/\/(?!www\.|[\w.-]*\b(?:github|gitlab|npmjs)\.)[\w.:-]+)?(\/[A-Za-z][\w{}:.<>-]*(?:\/[\w{}:.<>-]*)*)/g
const packageName =
  /(?:^[ \t]*use[ \t]+(?=\w+\.)|\b(?:from|require|import)\s*\(?\s*["']|(?:\b(?:install|add|get|i|npx|dlx|uvx)\b[ \t]+(?:-{1,2}[\w-]+[ \t]+){0,4}))["']?(@?[\w.-]+(?:\/[\w.-]+){0,5})/g
const signature = /(?:^|[\s`.#*])([A-Za-z_]\w*)\(([^()\n]{0,300})\)?/g

/** Files that readers are told to write are theirs. */
const madeByReader =
  /\b(?:creat(?:e|es|ing)|make)(?: (?:a|an|the|your|own|new|file|called|named)){0,5}:? `([\w@./-]{1,100})`/gi

interface Target {
  add(mention: Partial<Mention> & Pick<Mention, 'form' | 'name'>): void
}

/**
 * The names and default values that a page mentions, without those that are its reader's own, other tools' or of the
 * past. Pure; linear in the text.
 */
export function readMentions(text: string): Mention[] {
  const found = new Map<string, Mention>()
  const lines = readPageLines(text)
  const names = readFenceNames(lines)
  const made = new Set(lines.flatMap(({ text }) => [...text.matchAll(madeByReader)].map(([, file]) => file)))
  const operations = new OperationReader()
  for (const line of lines) {
    if (found.size > mentionsMax) break
    const operation = operations.read(line)
    const into: Target = {
      add(given) {
        const key = given.key ?? nameKey(given.name)
        if (given.name.length < 2 || given.name.length > nameCharsMax * 3 || key === '') return
        if (given.form === 'file' && made.has(given.name)) return
        const mention = {
          owner: '',
          value: '',
          source: '',
          isName: false,
          line: line.line,
          place: line.place,
          ...given,
          key,
        }
        const id = [mention.form, key, mention.owner, mention.value, mention.line].join('\n')
        const known = found.get(id)
        if (known === undefined || (mention.isName && !known.isName)) found.set(id, mention)
        if (operation !== '' && mention.form === 'name' && (mention.isName || isCompoundName(key))) addField(mention)
      },
    }
    const addField = ({ name, place }: Pick<Mention, 'name' | 'place'>) =>
      into.add({ form: 'field', name, place, owner: operation })
    readLine(line, names, into)
    if (operation !== '') for (const name of listFieldNames(line)) addField({ name, place: line.place })
  }
  for (const claim of readClaims(lines)) found.set(`claim\n${claim.key}\n${claim.value}\n${claim.line}`, claim)
  return [...found.values()]
}

function readLine(line: PageLine, names: FenceNames, into: Target): void {
  const { text } = line
  if (line.fence > 0) readCode(line, text, names, into)
  else {
    const own = text.replaceAll(linkedElsewhere, ' ')
    for (const { 2: code = '', index } of own.matchAll(codeSpan))
      readSpan(line, code.replaceAll('::', '.'), names, { isTerm: isTerm(own.slice(0, index)), into })
    if (/\bfeatures?\b/i.test(own)) {
      for (const { 2: name = '' } of own.matchAll(codeSpan))
        if (/^[a-z][\w-]+$/.test(name)) into.add({ form: 'feature', name })
    }
    if (line.place !== 'prose') readMarked(line, own.replaceAll(codeSpan, ' '), into)
    for (const [name] of own.matchAll(upper)) into.add({ form: 'name', name, isName: true })
    addAll(into, 'file', own, filePath, line.place)
  }
  for (const name of listFeatures(text)) into.add({ form: 'feature', name })
  addFlags(line, into)
  addEndpoints(line.fence > 0 ? text : text.replaceAll(linkedElsewhere, ' '), line, into)
}

/** Whether a list item or a row of a table begins here: it describes the name that follows. */
function isTerm(before: string): boolean {
  return /^[ \t]*(?:[-*+]|\|)[ \t]*[*_[]*$/.test(before)
}

interface SpanTarget {
  isTerm: boolean
  into: Target
}

/** Inline code: a name of its own, or a piece of code. */
function readSpan(line: PageLine, code: string, names: FenceNames, { isTerm: isFirst, into }: SpanTarget): void {
  const isPlain = line.place === 'prose' || line.place === 'property'
  const place: MentionPlace = isFirst ? 'term' : isPlain ? 'inline' : line.place
  const whole = /^(?:[\w$]+\.)*([A-Za-z_$][\w$-]*)(?:\([^)]*\)|=[^=\s]*|:)?$/.exec(
    code.trim().replace(/^(["'])(.*)\1$/, '$2'),
  )?.[1]
  if (whole !== undefined) into.add({ form: 'name', name: whole, place, isName: true, source: names.sourceOf(whole) })
  const method = /^(?:(?:async[ \t]+)?(?:def|function|func|fn)[ \t]+)?\.([A-Za-z_]\w*)(?:\([^)]*\))?$/.exec(
    code.trim(),
  )?.[1]
  if (method !== undefined) into.add({ form: 'name', name: method, place, isName: true })
  for (const { name, program } of listCommands(code)) into.add({ form: 'command', name, owner: program, place })
  if (/^@?[\w.-]+(?:\/[\w.-]+){0,5}$/.test(code))
    into.add({ form: 'package', name: code, key: code.toLowerCase(), place })
  addIdentifiers(code, place, names, into)
  addParameters(code, place, into)
  if (/^[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|ya?ml|toml|json)$/.test(code))
    into.add({ form: 'file', name: code, key: code, place })
  addAll(into, 'file', code, filePath, place)
}

function readCode(line: PageLine, text: string, names: FenceNames, into: Target): void {
  const code = text.replace(/(?:^|[ \t])(?:\/\/|#)[ \t].*$/, '').replaceAll('::', '.')
  // Keys of settings are the product's, never its reader's.
  const first = data.test(line.language ?? '') ? dataKey.exec(code)?.[1] : undefined
  for (const key of new Set([first, ...[...code.matchAll(quotedKey)].map(([, quoted]) => quoted)])) {
    if (key !== undefined && isCompoundName(nameKey(key)))
      into.add({ form: 'name', name: key, place: 'property', isName: true })
  }
  if (line.language === '' || shell.test(line.language ?? ''))
    for (const { name, program } of listCommands(code)) into.add({ form: 'command', name, owner: program })
  addNamedArguments(line, code, names, into)
  if (!shell.test(line.language ?? '') || /^[ \t]*(?:>>>|import|from|const|await)\b/.test(code))
    addIdentifiers(code, line.place, names, into)
  for (const [name] of text.matchAll(upper)) into.add({ form: 'name', name, isName: true })
  for (const [, name = ''] of code.matchAll(packageName)) {
    if (!/^[.\d-]/.test(name)) into.add({ form: 'package', name: name.replace(/\[.*$/, ''), key: name.toLowerCase() })
  }
  const crate =
    line.language === 'toml'
      ? /^([a-z][\w-]*)[ \t]*=[ \t]*(?:"[\^~=]?\d|\{[^\n]*\bversion\b)/.exec(code)?.[1]
      : undefined
  if (crate !== undefined) into.add({ form: 'package', name: crate, key: crate.toLowerCase() })
  addAll(into, 'file', text, filePath, line.place)
}

const python = /^(?:py|python3?|pycon|ipython)$/
const script = /^(?:[cm]?[jt]sx?|javascript|typescript|vue|svelte|astro)$/
const pythonCall = /([A-Za-z_]\w*)\(([^()\n]{0,500})/g
const goKey = /(?<![\w.$])([A-Z][a-z]\w*):[ \t]/g
const scriptKey = /^[ \t]+([A-Za-z_$][\w$]*)(?::[ \t]|\()/

/** Names that samples give values to: arguments of a function of Python, fields of a struct of Go, keys of an object. */
function addNamedArguments(line: PageLine, code: string, names: FenceNames, into: Target): void {
  const language = line.language ?? ''
  if (python.test(language)) {
    for (const [, owner = '', list = ''] of code.matchAll(pythonCall)) {
      for (const [, name = ''] of list.matchAll(/(?:^|,)[ \t]*([a-z_]\w*)[ \t]*=(?!=)/g))
        into.add({ form: 'parameter', name, owner: nameKey(owner) })
    }
  } else if (/^go(?:lang)?$/.test(language)) {
    for (const [, name = ''] of code.matchAll(goKey)) into.add({ form: 'name', name, place: 'property', isName: true })
  } else if (script.test(language) && names.onlySource !== '') {
    const name = scriptKey.exec(code)?.[1]
    if (name !== undefined && isCompoundName(nameKey(name)))
      into.add({ form: 'name', name, place: 'property', isName: true, source: names.onlySource })
  }
}

/** Names in headings, first cells of tables and properties are marked by their place instead of by code. */
function readMarked(line: PageLine, text: string, into: Target): void {
  const part = (line.place === 'table' ? text.split('|').slice(0, 2).join(' ') : text).replace(/^(#+[ \t]+)\./, '$1')
  for (const [written] of part.slice(0, 500).matchAll(identifier)) {
    const name = written.split('.').at(-1) ?? written
    if (isCompoundName(nameKey(name)) || /^[#\s]*\S+$/.test(part.trim()))
      into.add({ form: 'name', name, isName: isCompoundName(nameKey(name)) })
  }
  if (line.place !== 'heading') return
  addParameters(text, 'heading', into)
  const titled = /^#+[ \t]+((?:[a-z][\w-]*)(?:[ \t][a-z][\w-]*)?)$/.exec(text)?.[1]
  for (const name of titled?.split(/[ \t]/) ?? []) into.add({ form: 'command', name })
}

function addIdentifiers(code: string, place: MentionPlace, names: FenceNames, into: Target): void {
  let chain = ''
  for (const match of code.matchAll(identifier)) {
    const next = code[match.index + match[0].length]
    const parts = match[0].split('.')
    const isChained = code[match.index - 1] === '.' && code[match.index - 2] === ')'
    // What is called on the result of a call is as its beginning is.
    if (isChained && chain === '') continue
    const source = isChained ? chain : names.sourceOf(parts[0] ?? '')
    chain = source
    // Events, states and keys are named by all of it: `invoice.sent`.
    if (parts.length > 1 && parts.length < 4 && /^[a-z][a-z\d_.]*$/.test(match[0]))
      into.add({
        form: 'name',
        name: match[0],
        place: place === 'fence' && /["']/.test(code[match.index - 1] ?? '') ? 'property' : place,
        isName: next !== '(',
      })
    for (const [index, name] of parts.entries()) {
      if (index === 0 && names.isOwn(name)) continue
      const isCalled = next === '(' && match[0].endsWith(name)
      if (isCompoundName(nameKey(name)) || isCalled || source !== '' || /^[A-Z][a-z]/.test(name)) {
        // Within an expression, such as a type of another library, it is less sure to be the product's.
        into.add({ form: 'name', name, place, source, isName: isCalled || source !== '' })
      }
    }
  }
}

/** `fn(first, second=1)` names parameters of this function. */
function addParameters(code: string, place: MentionPlace, into: Target): void {
  for (const [, owner = '', list = ''] of code.matchAll(signature)) {
    for (const part of list.split(',')) {
      const name = /^[\s[{]*([a-z_]\w*)\s*(?:\??:[^=]*)?(?:=[^=].*)?[\s\]}]*$/i.exec(part)?.[1]
      if (name !== undefined) into.add({ form: 'parameter', name, owner: nameKey(owner), place })
    }
  }
}

function addFlags(line: PageLine, into: Target): void {
  for (const match of line.text.matchAll(flag)) {
    const before = line.text.slice(Math.max(0, match.index - 200), match.index)
    const command = before.slice(
      Math.max(before.lastIndexOf('`'), before.lastIndexOf('|'), before.lastIndexOf('&&')) + 1,
    )
    const place = line.place === 'prose' && before.includes('`') ? 'inline' : line.place
    const run = readCommandLine(command)
    const words = command
      .trim()
      .split(/\s+/)
      .filter((word) => /^[a-z][\w:-]*$/.test(word))
    if (run !== null || (line.fence === 0 && place !== 'inline'))
      into.add({
        form: 'flag',
        name: match[0],
        place,
        owner: words.slice(1).at(-1) ?? '',
        source: run?.isRun === true ? (run.words[0]?.split('.')[0] ?? '') : (words[0] ?? ''),
        isName: run?.isRun !== true,
      })
  }
}

function addEndpoints(text: string, line: PageLine, into: Target): void {
  if (line.place === 'prose' && !/`|https?:|^\s*(?:GET|PUT|POST|DELETE|PATCH)\b/.test(text)) return
  for (const [, method, path = ''] of text.matchAll(urlPath)) {
    if (/\.\w{1,5}$/.test(path)) continue
    const key = endpointKey(path)
    into.add({ form: 'endpoint', name: path, key })
    if (method !== undefined) into.add({ form: 'endpoint', name: `${method} ${path}`, key: `${method} ${key}` })
  }
}

function addAll(into: Target, form: MentionForm, text: string, pattern: RegExp, place: MentionPlace): void {
  for (const [found] of text.matchAll(pattern)) {
    const name = found.replace(/^(?:\.{0,2}\/)+/, '')
    into.add({ form, name, key: name, place: place === 'prose' ? 'inline' : place })
  }
}

const named = /(?<![\w-])(GET|PUT|POST|DELETE|PATCH)[ \t]+["'`]?(?:https?:\/\/[\w.:-]+)?(\/[\w{}:.<>/-]*)/
const curl =
  /\bcurl\b[^\n]{0,200}?(?:-X|--request)[ \t]*["']?(GET|PUT|POST|DELETE|PATCH)\b[^\n]{0,200}?https?:\/\/[\w.:-]+(\/[\w{}:.<>/-]*)/
const jsonKey = /"([A-Za-z_][\w.-]*)"[ \t]*:/g
const component = /<[A-Z]\w*[^>\n]{0,300}?\b(?:body|query|path|header|name)=["']([A-Za-z_][\w.-]*)["']/g
const cell = /^[ \t]*\|[ \t]*`?([A-Za-z_][\w.-]*)`?[ \t]*\|/

/**
 * Follows which operation of an API a page speaks of: from the line that names it to the next heading of its rank, so
 * that the fields below are those of this operation.
 */
class OperationReader {
  #operation = ''
  #rank = 0
  #rankNow = 0

  /** `METHOD path` as facts have it; empty if the page speaks of none. */
  read({ text, place }: PageLine): string {
    if (place === 'heading') {
      this.#rankNow = /^#+/.exec(text)?.[0].length ?? 0
      if (this.#rankNow <= this.#rank) this.#operation = ''
    }
    const [, method, path = ''] = named.exec(text) ?? curl.exec(text) ?? []
    if (method === undefined) return this.#operation
    this.#rank = this.#rankNow
    this.#operation = `${method} ${endpointKey(path)}`
    return this.#operation
  }
}

/** Names of fields in a line about an operation that need no marks of their own. */
function listFieldNames({ text, fence }: PageLine): string[] {
  const patterns = fence > 0 ? [jsonKey] : [component]
  const names = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  const first = fence > 0 ? undefined : cell.exec(text)?.[1]
  return first === undefined ? names : [...names, first]
}
