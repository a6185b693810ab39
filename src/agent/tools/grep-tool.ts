import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { decodeText } from '../../git/trees/decode-text.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { listBelow } from './list-files-tool.ts'
import { isGlob, matchPaths } from './match-paths.ts'
import { compilePattern, type SearchPattern } from './search-pattern.ts'

const inputSchema = z.strictObject({
  pattern: z.string().min(1).describe('Regular expression of RE2, as of ripgrep; of one line.'),
  literal: z.boolean().optional().describe('Take the pattern as plain text.'),
  regex: z.boolean().optional().describe('False is the same as "literal".'),
  ignoreCase: z.boolean().optional(),
  under: z.string().optional().describe('Only this folder or file.'),
  glob: z.string().optional().describe('Only paths such as "**/*.{md,mdx}".'),
  context: z.number().int().min(0).max(5).optional().describe('Lines around each match.'),
  filesOnly: z.boolean().optional().describe('Only paths, with the number of their matching lines.'),
})

const matchesMax = 200
const lineCharsMax = 500
const filesShownMax = 600
const bytesMax = 128 * 1024 * 1024

interface LineMatch {
  path: string
  line: number
  text: string
  before?: string[]
  after?: string[]
}

/** Searches the lines of the current files. */
export function createGrepTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'grep',
    description: 'Finds lines in all text files as they are now.',
    inputSchema,
    resultCharsMax: 60_000,
    async run({ under = '', glob, context = 0, filesOnly = false, ...input }, signal) {
      const pattern = compilePattern(input.pattern, {
        isLiteral: input.literal ?? input.regex === false,
        ignoreCase: input.ignoreCase ?? false,
      })
      const isWanted = matchPaths([glob ?? '', isGlob(under) ? under : ''].filter(Boolean).join(','))
      const paths = (await listBelow(deps, isGlob(under) ? '' : under, signal)).filter(isWanted)
      if (paths.length === 0)
        throw new AppError('invalid_request', `No path matches "${glob ?? under}". List the files first.`)
      const found = await searchFiles(deps, paths, { pattern, context }, signal)
      const total = [...found.counts.values()].reduce((sum, count) => sum + count, 0)
      const notes = [pattern.note, found.note, total === 0 ? `Nothing matches in ${paths.length} files.` : null]
      const rest = { total, ...noteOf(notes.filter((note) => note !== null)) }
      if (filesOnly) {
        const files = [...found.counts].slice(0, filesShownMax).map(([path, lines]) => ({ path, lines }))
        const left = found.counts.size - files.length
        return {
          files,
          ...rest,
          ...(left > 0 && { note: `${left} more files match. Narrow it with "under" or "glob".` }),
        }
      }
      const left = total - found.matches.length
      const cut =
        left > 0
          ? [
              `${left} more lines match in ${found.counts.size} files. Narrow it with "under" or "glob", or set "filesOnly".`,
            ]
          : []
      return {
        matches: found.matches.map((match) => ({ ...match })),
        ...rest,
        ...noteOf([...notes.filter((note) => note !== null), ...cut]),
      }
    },
  }
}

const noteOf = (notes: readonly string[]) => (notes.length > 0 ? { note: notes.join(' ') } : {})

interface Found {
  matches: LineMatch[]
  /** Path → number of lines. */
  counts: Map<string, number>
  note: string | null
}

async function searchFiles(
  deps: Pick<AgentToolDeps, 'overlay' | 'contexts'>,
  paths: readonly string[],
  { pattern, context }: { pattern: SearchPattern; context: number },
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = { matches: [], counts: new Map(), note: null }
  let bytesLeft = bytesMax
  for (const [index, path] of paths.entries()) {
    signal.throwIfAborted()
    const { bytes, text } = await readIfMatching(deps, path, pattern, signal)
    bytesLeft -= bytes
    if (bytesLeft < 0) {
      found.note = `Only the first ${index} of ${paths.length} files were searched. Narrow it with "under" or "glob".`
      return found
    }
    if (text !== null) addMatches(found, path, text, { pattern, context })
  }
  return found
}

async function readIfMatching(
  { overlay, contexts }: Pick<AgentToolDeps, 'overlay' | 'contexts'>,
  path: string,
  pattern: SearchPattern,
  signal: AbortSignal,
): Promise<{ bytes: number; text: string | null }> {
  const context = contexts.find(path)
  if (context === null) {
    const bytes = await overlay.read(path)
    const text = decodeText(bytes)
    return { bytes: bytes.length, text: text !== null && pattern.test(text) ? text : null }
  }
  // Files that are too large, or kept elsewhere.
  return contexts
    .readText(context, signal, (text) => pattern.test(text))
    .catch((error: unknown) => {
      if (error instanceof AppError) return { bytes: 0, text: null }
      throw error
    })
}

function addMatches(
  { matches, counts }: Found,
  path: string,
  text: string,
  { pattern, context }: { pattern: SearchPattern; context: number },
): void {
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    if (!pattern.test(line)) continue
    counts.set(path, (counts.get(path) ?? 0) + 1)
    if (matches.length >= matchesMax) continue
    const around = (from: number, to: number) => lines.slice(Math.max(0, from), to).map(cutLine)
    matches.push({
      path,
      line: index + 1,
      text: cutLine(line),
      ...(context > 0 && { before: around(index - context, index), after: around(index + 1, index + 1 + context) }),
    })
  }
}

const cutLine = (line: string) => (line.length > lineCharsMax ? `${line.slice(0, lineCharsMax)}…` : line)
