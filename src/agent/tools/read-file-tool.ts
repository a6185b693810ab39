import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ContextPath } from '../contexts/context-files.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { findFile, findFolder } from './find-file.ts'
import { outlineText } from './outline-text.ts'
import { readTextFile, refuseBinary } from './text-file.ts'

const filesMax = 10

const inputSchema = z.strictObject({
  path: z.string().min(1).optional().describe('File, or address of a page.'),
  paths: z.array(z.string().min(1)).min(1).max(filesMax).optional().describe('Several files.'),
  from: z.number().int().optional().describe('First line, from 1; negative from the end.'),
  to: z.number().int().min(1).optional().describe('Last line.'),
  outline: z.boolean().optional().describe('Only headings with their lines.'),
})

const linesMax = 800
const charsMax = 40_000
const lineCharsMax = 40_000

interface Range {
  from?: number | undefined
  to?: number | undefined
  outline?: boolean | undefined
}

/** Reads files or ranges of their lines, with line numbers. */
export function createReadFileTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'read',
    description:
      'Reads text files. Each line comes as its number, a tab and the line; the first two are not in the file.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ path, paths = [], ...range }, signal) {
      const names = [...new Set([...(path === undefined ? [] : [path]), ...paths])]
      const [only] = names
      if (only === undefined) throw new AppError('invalid_request', 'Give a "path", or several "paths".')
      if (names.length === 1) return readOne(deps, only, range, { charsMax, signal })
      const files = []
      for (const name of names) {
        const limits = { charsMax: Math.floor(charsMax / names.length), signal }
        files.push(await readOne(deps, name, range, limits).catch((error: unknown) => describeFault(name, error)))
      }
      return { files }
    },
  }
}

/** Of several files, one that is not there does not keep the others back. */
function describeFault(path: string, error: unknown) {
  if (error instanceof AppError) return { path, error: error.message }
  throw error
}

async function readOne(
  deps: AgentToolDeps,
  name: string,
  range: Range,
  { charsMax: most, signal }: { charsMax: number; signal: AbortSignal },
) {
  const context = deps.contexts.find(name.trim())
  const path = context === null ? await findReadable(deps, name, signal) : name.trim()
  const text = context === null ? await readTextFile(deps.overlay, path) : await readContext(deps, context, signal)
  const lines = text.split(/\r?\n/)
  if (range.outline === true) {
    const headings = outlineText(text).map((heading) => ({ ...heading }))
    return { path, lines: lines.length, headings, ...(headings.length === 0 && { note: 'It has no headings.' }) }
  }
  return { path, lines: lines.length, ...showLines(path, lines, range, most) }
}

async function readContext({ contexts }: AgentToolDeps, path: ContextPath, signal: AbortSignal): Promise<string> {
  const { text } = await contexts.readText(path, signal)
  return text ?? refuseBinary(`@${path.name}/${path.path}`)
}

async function findReadable(deps: AgentToolDeps, name: string, signal: AbortSignal): Promise<string> {
  try {
    return await findFile(deps, name, signal)
  } catch (error) {
    const folder = findFolder(deps, name)
    if (folder === null || folder === '') throw error
    const below = deps.overlay.paths().filter((path) => path.startsWith(`${folder}/`))
    const named = below.slice(0, 8).map(quotePath).join(', ')
    throw new AppError(
      'invalid_request',
      `${quotePath(folder)} is a folder with ${below.length} files, such as ${named}.`,
    )
  }
}

function showLines(path: string, lines: readonly string[], { from: first = 1, to }: Range, most: number) {
  const from = first < 0 ? Math.max(1, lines.length + 1 + first) : Math.max(1, first)
  if (from > lines.length) {
    throw new AppError('invalid_request', `${quotePath(path)} has ${lines.length} lines. Read from an earlier one.`)
  }
  const end = Math.min(to ?? lines.length, lines.length)
  if (end < from)
    throw new AppError('invalid_request', `Line ${to} is before line ${from}. Give the first line as "from".`)
  const shown = takeLines(lines, { from, to: Math.min(end, from + linesMax - 1), charsMax: most })
  const last = from + shown.length - 1
  return {
    text: shown.map((line, index) => `${from + index}\t${line}`).join('\n'),
    ...(last < end && { note: `This ends at line ${last}. Read on from line ${last + 1}.` }),
  }
}

/** Whole lines, at least one. */
function takeLines(
  lines: readonly string[],
  { from, to, charsMax: most }: { from: number; to: number; charsMax: number },
): string[] {
  const taken: string[] = []
  let chars = 0
  for (const line of lines.slice(from - 1, to)) {
    const cut = line.length > lineCharsMax ? `${line.slice(0, lineCharsMax)}… (${line.length} characters)` : line
    chars += cut.length + 1
    if (taken.length > 0 && chars > most) break
    taken.push(cut)
  }
  return taken
}
