import type { JsonValue } from '../../contract/json.ts'
import type { ProgramCall, ProgramEnd, ProgramOutcome } from './agent-program.ts'

/** A part of a program that returns a value. */
export type ProgramPart<Value> = Generator<ProgramCall[], Value, ProgramOutcome[]>

/** A field of a tool's output, or null. */
export function readField(output: JsonValue | undefined, name: string): JsonValue | null {
  return typeof output === 'object' && output !== null && !Array.isArray(output) ? (output[name] ?? null) : null
}

/** A text field of a tool's output, or empty. */
export function textOf(output: JsonValue | undefined, name: string): string {
  const value = readField(output, name)
  return typeof value === 'string' ? value : ''
}

/** Makes one call and returns its outcome. */
export function* callOne(toolName: string, input: ProgramCall['input']): ProgramPart<ProgramOutcome> {
  const [outcome] = yield [{ toolName, input }]
  return outcome ?? { isOk: false, message: 'The call came to nothing.' }
}

/**
 * The file of a page, given by its path, its URL or its name.
 *
 * @returns Null if there is none, or several.
 */
export function* findPage(name: string): ProgramPart<string | null> {
  const wanted = toRoute(name)
  const last = wanted.split('/').at(-1) ?? ''
  const pages = yield* listMarkdown(last)
  const exact =
    pages.find((path) => path === name.replace(/^\.?\//, '')) ?? pages.find((path) => toRoute(path) === wanted)
  if (exact !== undefined) return exact
  const ending = pages.filter((path) => toRoute(path).endsWith(`/${wanted}`))
  if (ending.length > 0 || wanted.includes('/')) return chooseOriginal(ending)
  return (yield* findSpoken(name)) ?? (yield* findTitled(name)) ?? (yield* findByWords(name))
}

/** Why a page that `findPage` does not find cannot be used. */
export function describeMissing(name: string): string {
  return `There is no page “${name}”, or several have that name.`
}

/** By words of its path, in any order: `the CLI reference` is `reference/cli.md`. */
function* findByWords(name: string): ProgramPart<string | null> {
  const split = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
  const wanted = split(name)
  if (wanted.length < 2) return null
  const found = (yield* listMarkdown('')).filter((path) => {
    const words = new Set(split(toRoute(path)))
    return wanted.every((word) => words.has(word))
  })
  return found.length === 1 ? (found[0] ?? null) : null
}

/** By words that spell the name of its file: `legacy API` is `legacy-api.md`, and the home page is an index. */
function* findSpoken(name: string): ProgramPart<string | null> {
  const spoken = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  const all = yield* listMarkdown('')
  if (/^(?:home|start|landing|front)(?:-?page)?$/.test(spoken)) return all.find((path) => toRoute(path) === '') ?? null
  const found = all.filter((path) => (toRoute(path).split('/').at(-1) ?? '').replaceAll('_', '-') === spoken)
  return chooseOriginal(found)
}

/** Of a page and its translations, which are in the same place below a folder of their own, the page. */
function chooseOriginal(paths: readonly string[]): string | null {
  return paths.find((path) => paths.every((other) => other === path || other.endsWith(`/${path}`))) ?? null
}

function* findTitled(name: string): ProgramPart<string | null> {
  const written = name.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = `^(?:(?:sidebar)?title:|#)\\s*["']?${written}s?["']?\\s*$`
  const outcome = yield* callOne('grep', { pattern, ignoreCase: true, filesOnly: true })
  const files = outcome.isOk ? readField(outcome.output, 'files') : null
  const titled = (Array.isArray(files) ? files : []).map((file) => textOf(file, 'path')).filter(isMarkdown)
  return titled.length === 1 ? (titled[0] ?? null) : null
}

/** @param containing What the paths contain; empty for all. */
export function* listMarkdown(containing: string): ProgramPart<string[]> {
  const listed = yield* callOne('list', containing === '' ? {} : { containing })
  const paths = listed.isOk ? readField(listed.output, 'paths') : null
  return (Array.isArray(paths) ? paths : []).map(String).filter(isMarkdown)
}

export function isMarkdown(path: string): boolean {
  return /\.mdx?$/i.test(path)
}

export function toRoute(name: string): string {
  return name
    .replaceAll(/^\.?\/+|\/+$/g, '')
    .replace(/\.mdx?$/i, '')
    .replace(/(?:^|\/)index$/i, '')
    .toLowerCase()
}

/** The whole text of a file; null if it cannot be read. */
export function* readFile(path: string): ProgramPart<string | null> {
  const lines: string[] = []
  for (;;) {
    const read = yield* callOne('read', { path, from: lines.length + 1 })
    if (!read.isOk) return null
    const text = readField(read.output, 'text')
    if (typeof text !== 'string') return null
    lines.push(...text.split('\n').map((line) => line.slice(line.indexOf('\t') + 1)))
    if (lines.length >= Number(readField(read.output, 'lines') ?? 0)) return lines.join('\n')
  }
}

/** The result of a program that could do nothing. */
export function refuseProgram(reason: string): ProgramEnd {
  return { title: 'Nothing to change', summary: reason, isNothing: true }
}
