import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { ToolDefinition } from '../../models/loop/tool-definition.ts'
import type { AgentToolDeps } from './agent-tool.ts'
import { applyEdits, showRanges, type TextEdit } from './apply-edits.ts'
import { followHeadings, hasOtherHeadings, writeText } from './change-files.ts'
import { findFile } from './find-file.ts'
import { findLineOfOffset } from './find-text.ts'
import { isPatch } from './parse-patch.ts'
import { readTextFile } from './text-file.ts'

const editSchema = z.strictObject({
  find: z.string().min(1).describe('Text to replace, as the file has it.'),
  replace: z.string(),
  all: z.boolean().optional().describe('Every occurrence.'),
  wholeWord: z.boolean().optional().describe('Not inside longer words.'),
  near: z.number().int().min(1).optional().describe('Line: of several occurrences, the nearest.'),
})

const inputSchema = z.strictObject({
  path: z.string().min(1),
  ...editSchema.partial({ find: true, replace: true }).shape,
  edits: z.array(editSchema).min(1).max(50).optional().describe('Several edits of the file, all or none.'),
})

const linesNamedMax = 10

/** Replaces parts of a file. */
export function createEditFileTool(deps: AgentToolDeps): ToolDefinition<typeof inputSchema> {
  return {
    name: 'edit',
    description:
      'Replaces text in a file: one "find" and "replace", or several "edits". Each text must be unique unless "all" or "near" is given. Links follow renamed headings.',
    inputSchema,
    resultCharsMax: 6_000,
    async run({ path: name, edits, ...single }, signal) {
      const path = await findFile(deps, name, signal)
      return editFile(deps, path, listEdits(edits, single), signal)
    },
  }
}

type SingleEdit = { [Name in keyof TextEdit]?: TextEdit[Name] | undefined }

function listEdits(
  edits: readonly TextEdit[] | undefined,
  { find, replace, all, wholeWord, near }: SingleEdit,
): TextEdit[] {
  if (find !== undefined && isPatch(find)) {
    throw new AppError('invalid_request', 'That is a patch. Give it to "patch". Nothing was changed.')
  }
  const single = find === undefined || replace === undefined ? [] : [{ find, replace, all, wholeWord, near }]
  if ((find === undefined) !== (replace === undefined) || (edits === undefined && single.length === 0)) {
    throw new AppError('invalid_request', 'Give both "find" and "replace", or "edits". Nothing was changed.')
  }
  return [...single, ...(edits ?? [])]
}

/** Applies edits to a file, all or none. @throws {AppError} that says which does not fit. */
export async function editFile(
  deps: Pick<AgentToolDeps, 'overlay' | 'askSite'>,
  path: string,
  edits: readonly TextEdit[],
  signal: AbortSignal,
) {
  const before = await readTextFile(deps.overlay, path)
  const { text, ranges, replaced, ignored } = applyEdits(path, before, edits)
  const saved = deps.overlay.toJSON()
  // A call that timed out has already failed for the model, so it must not change anything.
  signal.throwIfAborted()
  await writeText(deps, path, text)
  const paths = hasOtherHeadings(before, text) ? [path] : []
  const { updated, notes } = await followHeadings(deps, { before: saved, paths }, signal)
  const all = [...notes, ...ignored.map((what) => `The text was found by ignoring ${what}.`)]
  return {
    path,
    replaced,
    lines: ranges.slice(0, linesNamedMax).map(({ start }) => findLineOfOffset(text, start)),
    text: showRanges(text, ranges.slice(0, linesNamedMax)),
    ...(updated.length > 0 && { updated }),
    ...(all.length > 0 && { note: all.join(' ') }),
  }
}
