import { z } from 'zod'
import { isPageFile } from '../../content/trees/source-path.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import { decodeText } from '../../git/trees/decode-text.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { followHeadings, hasOtherHeadings, writeText } from './change-files.ts'
import { listBelow } from './list-files-tool.ts'
import { isGlob, matchPaths } from './match-paths.ts'
import { compilePattern, type SearchPattern } from './search-pattern.ts'

const inputSchema = z.strictObject({
  find: z.string().min(1),
  replace: z.string(),
  regex: z.boolean().optional().describe('"find" is a regular expression, and $1 in "replace" a group.'),
  ignoreCase: z.boolean().optional(),
  wholeWord: z.boolean().optional(),
  under: z.string().optional().describe('Only this folder or file.'),
  glob: z.string().optional().describe('Only these paths; all pages by default.'),
  apply: z.boolean().optional().describe('False shows what would change.'),
  expect: z.number().int().min(1).optional().describe('Number of replacements that the preview showed.'),
})

const filesMax = 500
const samplesMax = 12
const filesShownMax = 60
const sampleCharsMax = 200

/** Replaces a text in many files, after a preview. */
export function createReplaceTextTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'replace',
    description:
      'Replaces a text in many files. First call it without "apply" for a preview with the count; then with "apply" and "expect": that count.',
    inputSchema,
    resultCharsMax: 20_000,
    async run({ under = '', glob, ...input }, signal) {
      const { regex = false, ignoreCase = false, wholeWord = false, apply = false } = input
      const pattern = compilePattern(input.find, { isLiteral: !regex, ignoreCase, isWord: wholeWord })
      const globs = [glob ?? '', isGlob(under) ? under : ''].filter(Boolean).join(',')
      const isWanted = globs === '' ? isPageFile : matchPaths(globs)
      const below = await listBelow(deps, isGlob(under) ? '' : under, signal)
      const paths = below.length === 1 ? below : below.filter(isWanted)
      const changes = await planReplacements(
        deps,
        paths,
        { pattern, replace: input.replace, isLiteral: !regex },
        signal,
      )
      const total = changes.reduce((sum, { count }) => sum + count, 0)
      if (!apply) return { ...describeChanges(changes, total), applied: false, searched: paths.length }
      requireExpected(total, input.expect)
      const saved = deps.overlay.toJSON()
      for (const { path, after } of changes) await writeText(deps, path, after)
      const headings = changes.filter(({ before, after }) => hasOtherHeadings(before, after)).map(({ path }) => path)
      const { updated, notes } = await followHeadings(deps, { before: saved, paths: headings }, signal)
      const note = notes.length > 0 ? { note: notes.join(' ') } : {}
      return { ...describeChanges(changes, total), applied: true, ...(updated.length > 0 && { updated }), ...note }
    },
  }
}

function requireExpected(total: number, expected: number | undefined): void {
  if (total > 0 && total === expected) return
  const reason =
    total === 0
      ? 'The text occurs nowhere there. Search for it with "grep".'
      : expected === undefined
        ? `${total} places would change. Look at the preview, and call it again with "expect": ${total}.`
        : `${total} places would change, not ${expected}. Look at the preview again.`
  throw new AppError('invalid_request', `${reason} Nothing was changed.`)
}

interface FileChange {
  path: string
  before: string
  after: string
  count: number
}

/** What replacing would change. @throws {AppError} over 500 files. */
async function planReplacements(
  { overlay }: Pick<AgentToolDeps, 'overlay'>,
  paths: readonly string[],
  { pattern, replace, isLiteral }: { pattern: SearchPattern; replace: string; isLiteral: boolean },
  signal: AbortSignal,
): Promise<FileChange[]> {
  const changes: FileChange[] = []
  for (const path of paths) {
    signal.throwIfAborted()
    if (path.startsWith('@')) throw new AppError('invalid_request', 'Context repositories can only be read.')
    const before = decodeText(await overlay.read(path))
    if (before === null || !pattern.test(before)) continue
    const { text: after, count } = pattern.replaceAll(before, replace, isLiteral)
    if (after !== before) changes.push({ path, before, after, count })
    if (changes.length > filesMax) {
      throw new AppError(
        'invalid_request',
        `More than ${filesMax} files would change. Narrow it with "under" or "glob".`,
      )
    }
  }
  return changes
}

function describeChanges(changes: readonly FileChange[], total: number) {
  const files = changes.slice(0, filesShownMax).map(({ path, count }) => ({ path, count }))
  const samples = changes.slice(0, samplesMax).flatMap(findSample)
  return { total, files: changes.length, counts: files, samples }
}

/** The first line that differs, before and after. */
function findSample({ path, before, after }: FileChange) {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)]
  const index = old.findIndex((line, at) => line !== now[at])
  if (index === -1) return []
  const cut = (line = '') => line.trim().slice(0, sampleCharsMax)
  return [{ path, line: index + 1, before: cut(old[index]), after: cut(now[index]) }]
}
