import { parseJson } from './parse-json.ts'
import { isRecord } from './parse-tolerantly.ts'
import { resolveSourcePath } from '../trees/source-path.ts'
import { readText, type SourceFiles } from '../trees/read-text.ts'
import type { SiteRule } from '../finding-rules.ts'

const depthMax = 100
const valuesMax = 500_000
const configBytesMax = 8 * 1024 * 1024

interface Resolution {
  library: SourceFiles
  /** Parsed files by path. */
  files: Map<string, unknown>
  /** Texts by path, for finding the line of an entry. */
  texts: Map<string, string>
  valuesLeft: number
}

export interface ResolvedConfig {
  value: unknown
  /** Text of every file involved. */
  texts: ReadonlyMap<string, string>
}

/**
 * Reads a configuration file and resolves every `$ref` to another JSON file of the site, relative to the referring
 * file. Objects keep the keys next to `$ref`; lists and other values replace them.
 *
 * References that are missing, circular or outside the site are reported as findings and become empty. Objects of the
 * result have no prototype.
 *
 * @returns Null, with a finding, if the file itself cannot be read.
 */
export async function readConfig(library: Resolution['library'], file: string): Promise<ResolvedConfig | null> {
  const resolution: Resolution = { library, files: new Map(), texts: new Map(), valuesLeft: valuesMax }
  const value = await readJsonFile(resolution, file)
  if (value === undefined) return null
  return { value: await resolveValue(resolution, value, [file]), texts: resolution.texts }
}

async function readJsonFile(resolution: Resolution, file: string): Promise<unknown> {
  if (resolution.files.has(file)) return resolution.files.get(file)
  const text = await readText(resolution.library, file, configBytesMax)
  const parsed = text === null ? undefined : parseJson(text, file, resolution.library.findings)
  resolution.files.set(file, parsed)
  if (text !== null) resolution.texts.set(file, text)
  return parsed
}

/** @param stack Files being resolved, outermost first; the last one contains `value`. */
async function resolveValue(
  resolution: Resolution,
  value: unknown,
  stack: readonly string[],
  depth = 0,
): Promise<unknown> {
  resolution.valuesLeft--
  if (depth > depthMax || resolution.valuesLeft < 0) {
    const message = `The configuration is nested more than ${depthMax} levels deep or contains more than ${valuesMax} values. Simplify it.`
    return reportReference(resolution, stack, 'config-too-large', message)
  }
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(await resolveValue(resolution, item, stack, depth + 1))
    return items
  }
  if (!isRecord(value)) return value
  const own: Record<string, unknown> = Object.create(null)
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '$ref') own[key] = await resolveValue(resolution, inner, stack, depth + 1)
  }
  if (typeof value['$ref'] !== 'string') return own
  const target = await followReference(resolution, value['$ref'], stack, depth)
  if (target === undefined) return own
  return isRecord(target) ? Object.assign(Object.create(null), target, own) : target
}

async function followReference(
  resolution: Resolution,
  reference: string,
  stack: readonly string[],
  depth: number,
): Promise<unknown> {
  const [path = ''] = reference.split('#')
  const file = resolveSourcePath(stack.at(-1) ?? '', path)
  if (file === null || !resolution.library.paths.has(file)) {
    const message = `The reference ${reference} does not match any file of this site. Correct its path.`
    return reportReference(resolution, stack, 'config-reference-missing', message)
  }
  if (stack.includes(file)) {
    const message = `The reference ${reference} is circular: ${[...stack, file].join(' → ')}. Remove it.`
    return reportReference(resolution, stack, 'config-reference-cycle', message)
  }
  const target = readPointer(await readJsonFile(resolution, file), reference.slice(path.length + 1))
  return target === undefined ? undefined : resolveValue(resolution, target, [...stack, file], depth + 1)
}

/** Resolves `#/a/0/b` within a file; without a pointer, the whole file. */
function readPointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current
}

function reportReference(resolution: Resolution, stack: readonly string[], rule: SiteRule, message: string): undefined {
  resolution.library.findings.add({ file: stack.at(-1) ?? '', line: null, rule, message })
  return undefined
}
