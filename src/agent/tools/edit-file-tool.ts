import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { quotePath } from '../../git/repository-path.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { findSimilarLines, findText, findLineOfOffset, type TextRange } from './find-text.ts'
import { findLineEnd, readTextFile, withLineEnd } from './text-file.ts'

const inputSchema = z.object({
  path: z.string().min(1),
  find: z.string().min(1).describe('The text to replace, exactly as the file has it, with enough of it to be unique.'),
  replace: z.string().describe('What takes its place.'),
  all: z.boolean().optional().describe('Replace every occurrence instead of exactly one.'),
})

const linesNamedMax = 10

/** Replaces one occurrence of a text in a file, or all of them. */
export function createEditFileTool({ overlay }: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'edit',
    description:
      'Replaces text in a file. "find" must occur exactly once unless "all" is true. Line numbers of "read" are not part of the file.',
    inputSchema,
    resultCharsMax: 4_000,
    async run({ path, find, replace, all = false }, signal) {
      const before = await readTextFile(overlay, path)
      const ranges = findText(before, find)
      if (ranges.length === 0) throw notFound(path, before, find)
      if (ranges.length > 1 && !all) throw notUnique(path, before, ranges)
      const after = replaceRanges(before, ranges, withLineEnd(replace, findLineEnd(before)))
      if (after === before)
        throw new AppError('invalid_request', '"find" and "replace" are the same. Nothing was changed.')
      // A call that timed out has already failed for the model, so it must not change anything.
      signal.throwIfAborted()
      await overlay.write(path, new TextEncoder().encode(after))
      const lines = ranges.slice(0, linesNamedMax).map(({ start }) => findLineOfOffset(before, start))
      return { path, replaced: ranges.length, lines }
    },
  }
}

export function replaceRanges(text: string, ranges: readonly TextRange[], replacement: string): string {
  let result = ''
  let from = 0
  for (const { start, end } of ranges) {
    result += text.slice(from, start) + replacement
    from = end
  }
  return result + text.slice(from)
}

function notUnique(path: string, text: string, ranges: readonly TextRange[]): AppError {
  const lines = ranges.slice(0, linesNamedMax).map(({ start }) => findLineOfOffset(text, start))
  const named = `${lines.join(', ')}${ranges.length > linesNamedMax ? ' and further' : ''}`
  return new AppError(
    'invalid_request',
    `The text occurs ${ranges.length} times in ${quotePath(path)}, at lines ${named}. Give more of the text around the one that you mean, or set "all" to true. Nothing was changed.`,
  )
}

function notFound(path: string, text: string, wanted: string): AppError {
  const similar = findSimilarLines(text, wanted, linesNamedMax)
  const hint =
    similar.length === 0
      ? 'Read the file to see what it holds.'
      : `Line ${similar.join(', ')} comes close: read it and copy the text as it is.`
  return new AppError('invalid_request', `The text does not occur in ${quotePath(path)}. ${hint} Nothing was changed.`)
}
